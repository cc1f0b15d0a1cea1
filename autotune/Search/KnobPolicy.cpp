#include "autotune/Search/KnobPolicy.h"

namespace cameo::autotune {

KnobPolicy::KnobPolicy(SearchContext context) : PolicyBase(std::move(context)) {
  for (unsigned variant = 0; variant < space().allVariants().size(); ++variant)
    templates.emplace_back(space(), variant);
}

std::optional<KnobPolicy::Gene> KnobPolicy::sample(Random &random) const {
  constexpr unsigned attempts = 256;
  for (unsigned attempt = 0; attempt < attempts; ++attempt) {
    unsigned variant = random.below(variants());
    if (Gene gene{variant, knobs(variant).sample(random)}; instantiate(gene))
      return gene;
  }
  return std::nullopt;
}

} // namespace cameo::autotune
