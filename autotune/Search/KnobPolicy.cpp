#include "autotune/Search/KnobPolicy.h"

namespace cameo::autotune {

KnobPolicy::KnobPolicy(SearchContext context) : PolicyBase(std::move(context)) {
  // User-defined knobs refer to the original nests, so there is only one variant.
  const TaskKnobDefinitions *knobs = options().knobs.get();
  for (unsigned variant = 0; variant < (knobs ? 1 : space().allVariants().size()); ++variant)
    templates.emplace_back(space(), variant, knobs);
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
