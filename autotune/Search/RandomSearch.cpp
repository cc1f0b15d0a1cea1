// Random sketches with random sizes, the baseline for other policies.
#include "autotune/Search/PolicyBase.h"

namespace cameo::autotune {
namespace {

constexpr unsigned attemptsPerCandidate = 64;

class RandomSearch : public PolicyBase {
public:
  using PolicyBase::PolicyBase;

  std::vector<Scored> search(unsigned count, Random random) override {
    std::vector<Scored> found;
    std::set<StateKey> drawn;
    for (unsigned attempt = 0; attempt < attemptsPerCandidate * count && found.size() < count; ++attempt)
      if (std::optional<State> state = space().sample(random);
          state && !isSeen(*state) && drawn.insert(space().keyOf(*state)).second)
        found.push_back({std::move(*state), 0});
    return found;
  }
};

} // namespace

std::unique_ptr<SearchPolicy> createRandomSearch(SearchContext context) {
  return std::make_unique<RandomSearch>(std::move(context));
}

} // namespace cameo::autotune
