// Simulated annealing over the cost model, as in AutoTVM: many walkers move between neighbouring configurations. They
// continue from their positions in the next proposal.
#include "autotune/Search/KnobPolicy.h"

#include <cmath>

namespace cameo::autotune {
namespace {

class AnnealingSearch : public KnobPolicy {
public:
  using KnobPolicy::KnobPolicy;

  std::vector<Scored> search(unsigned count, Random random) override {
    count = std::max(1U, count);
    unsigned atRandom = static_cast<unsigned>(options().epsilon * count);
    start(random);
    Pool best;
    score(best, count);
    unsigned sinceBetter = 0;
    for (unsigned number = 0; number < options().annealingSteps && sinceBetter < options().annealingPatience;
         ++number) {
      double temperature = 1 - static_cast<double>(number) / options().annealingSteps;
      sinceBetter = step(random.fork(number), temperature, count, best) ? 0 : sinceBetter + 1;
    }
    std::vector<Scored> found = highest(std::move(best), count);
    explore(found, count, atRandom, random);
    return found;
  }

private:
  struct Walker {
    Gene gene;
    State state;
    double score = 0;
  };

  void start(Random &random) {
    while (walkers.size() < options().walkers) {
      std::optional<Gene> gene = sample(random);
      if (!gene)
        return;
      State state = *instantiate(*gene);
      walkers.push_back({std::move(*gene), std::move(state)});
    }
  }

  /// The model may have been trained since the last proposal.
  void score(Pool &best, unsigned count) {
    std::vector<State> states;
    for (const Walker &walker : walkers)
      states.push_back(walker.state);
    std::vector<double> scores = predict(states);
    for (auto [walker, score] : llvm::zip_equal(walkers, scores)) {
      walker.score = score;
      keep(best, walker, count);
    }
  }

  /// Adds the walker's state to `best` if it is new. Returns whether it belongs to the `count` best.
  bool keep(Pool &best, const Walker &walker, unsigned count) const {
    if (isSeen(walker.state) || !best.emplace(space().keyOf(walker.state), Scored{walker.state, walker.score}).second)
      return false;
    if (best.size() <= count)
      return true;
    auto worst = std::min_element(best.begin(), best.end(),
                                  [](const auto &a, const auto &b) { return a.second.score < b.second.score; });
    bool isWorst = worst->first == space().keyOf(walker.state);
    best.erase(worst);
    return !isWorst;
  }

  bool step(Random random, double temperature, unsigned count, Pool &best) {
    std::vector<Walker> moved = walkers;
    forEachSlot(moved.size(), [&](size_t slot) {
      Random own = random.fork(slot);
      constexpr unsigned attempts = 8;
      for (unsigned attempt = 0; attempt < attempts; ++attempt) {
        Gene gene{moved[slot].gene.variant, knobs(moved[slot].gene).neighbour(moved[slot].gene.point, own)};
        if (std::optional<State> state = instantiate(gene)) {
          moved[slot] = {std::move(gene), std::move(*state)};
          return;
        }
      }
    });
    std::vector<State> states;
    for (const Walker &walker : moved)
      states.push_back(walker.state);
    std::vector<double> scores = predict(states);
    bool found = false;
    for (size_t slot = 0; slot < moved.size(); ++slot) {
      moved[slot].score = scores[slot];
      found |= keep(best, moved[slot], count);
      double gain = scores[slot] - walkers[slot].score;
      if (random.uniform() < std::exp(std::min(gain / (temperature + 1e-5), 1.0)))
        walkers[slot] = std::move(moved[slot]);
    }
    return found;
  }

  void explore(std::vector<Scored> &found, unsigned count, unsigned atRandom, Random random) const {
    std::set<StateKey> taken;
    for (const Scored &each : found)
      taken.insert(space().keyOf(each.state));
    for (unsigned attempt = 0; attempt < 4 * count; ++attempt) {
      if (atRandom == 0 && found.size() >= count)
        return;
      std::optional<Gene> gene = sample(random);
      if (!gene)
        return;
      State state = *instantiate(*gene);
      if (isSeen(state) || !taken.insert(space().keyOf(state)).second)
        continue;
      atRandom -= atRandom > 0;
      if (found.size() == count)
        found.erase(found.end() - 1 - atRandom);
      found.push_back({std::move(state), 0});
    }
  }

  std::vector<Walker> walkers;
};

} // namespace

std::unique_ptr<SearchPolicy> createAnnealingSearch(SearchContext context) {
  return std::make_unique<AnnealingSearch>(std::move(context));
}

} // namespace cameo::autotune
