// A genetic algorithm over measured speeds, without a cost model: single-point crossover of parents that are drawn in
// proportion to their speed, as in AutoTVM.
#include "autotune/Search/KnobPolicy.h"

#include <map>

namespace cameo::autotune {
namespace {

constexpr unsigned eliteCount = 3;

class GeneticSearch : public KnobPolicy {
public:
  using KnobPolicy::KnobPolicy;

  std::vector<Scored> search(unsigned count, Random random) override {
    std::vector<Scored> found;
    // In a small space, new children run out long before configurations do; random samples then fill the proposal.
    constexpr unsigned attempts = 64;
    for (unsigned attempt = 0; attempt < attempts * count && found.size() < count; ++attempt) {
      std::optional<Gene> gene = attempt < attempts / 2 * count ? nextChild(random) : sample(random);
      std::optional<State> state = gene ? instantiate(*gene) : std::nullopt;
      if (state && !isSeen(*state) && genes.try_emplace(space().keyOf(*state), *gene).second)
        found.push_back({std::move(*state), 0});
    }
    return found;
  }

private:
  struct Parent {
    Gene gene;
    double speed;
  };

  void learn() override {
    parents.clear();
    double total = 0;
    for (const Measured &each : measured())
      if (auto found = genes.find(space().keyOf(each.state)); found != genes.end()) {
        // Only the fastest ones, up to the size of a population.
        if (parents.size() == options().parents)
          break;
        total += 1 / each.costSeconds;
        parents.push_back({found->second, total});
      }
  }

  std::optional<Gene> nextChild(Random &random) const {
    if (parents.size() < std::min(2 * eliteCount, options().parents))
      return sample(random);
    const Gene &mother = draw(random), &father = draw(random);
    Gene child = mother;
    if (father.variant == mother.variant) {
      size_t cut = random.below(child.point.size());
      std::copy(father.point.begin() + cut, father.point.end(), child.point.begin() + cut);
    }
    for (auto [number, choice] : llvm::enumerate(child.point))
      if (random.chance(options().geneMutation))
        choice = random.below(knobs(child).getKnobs()[number].values.size());
    return child;
  }

  const Gene &draw(Random &random) const {
    double at = random.uniform() * parents.back().speed;
    auto found =
        llvm::lower_bound(parents, at, [](const Parent &parent, double value) { return parent.speed < value; });
    return found->gene;
  }

  std::map<StateKey, Gene> genes; ///< genes of proposed states
  std::vector<Parent> parents;    ///< with cumulative sums of the speeds
};

} // namespace

std::unique_ptr<SearchPolicy> createGeneticSearch(SearchContext context) {
  return std::make_unique<GeneticSearch>(std::move(context));
}

} // namespace cameo::autotune
