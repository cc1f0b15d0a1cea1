// Enumerates all configurations in the order of their numbers.
#include "autotune/Search/KnobPolicy.h"

namespace cameo::autotune {
namespace {

class GridSearch : public KnobPolicy {
public:
  using KnobPolicy::KnobPolicy;

  std::vector<Scored> search(unsigned count, Random) override {
    std::vector<Scored> found;
    std::set<StateKey> taken;
    // Filters may reject everything in a space that is too large to enumerate.
    constexpr unsigned mostRejected = 1 << 18;
    unsigned rejected = 0;
    for (; variant < variants(); ++variant, next = llvm::APInt(next.getBitWidth(), 0))
      for (; next.ult(knobs(variant).size()); ++next) {
        if (found.size() == count || rejected == mostRejected)
          return found;
        // Several numbers may give the same schedule.
        std::optional<State> state = instantiate({variant, knobs(variant).decode(next)});
        if (state && !isSeen(*state) && taken.insert(space().keyOf(*state)).second)
          found.push_back({std::move(*state), 0});
        else
          ++rejected;
      }
    return found;
  }

private:
  unsigned variant = 0;
  llvm::APInt next{128, 0};
};

} // namespace

std::unique_ptr<SearchPolicy> createGridSearch(SearchContext context) {
  return std::make_unique<GridSearch>(std::move(context));
}

} // namespace cameo::autotune
