// Evolution over the cost model: a population of random and of the fastest measured schedules, mutated and crossed for some
// generations; the best new ones are measured, with a few random ones for the model's sake. After Ansor (Zheng et al., OSDI
// 2020), with crossover. A smaller population evolves by the estimate alone.
#include "autotune/Mutate/Mutator.h"
#include "autotune/Search/PolicyBase.h"
#include "autotune/Space/RegisterBlock.h"

#include <cmath>

namespace cameo::autotune {
namespace {

/// Part of the population that comes from what was measured.
constexpr double measuredPart = 0.2;
constexpr unsigned tournamentSize = 4;
/// At least so many register blocks are tried in one proposal.
constexpr unsigned blocksPerProposal = 8;
/// And so many variants of the task.
constexpr unsigned variantsPerProposal = 2;
/// One of so many candidates is found by the estimate, one is next to what was fastest so far; and one of the model's and one of the estimate's may be of
/// a shape (shapeOf) that was hardly measured.
constexpr unsigned estimatedPart = 4;
constexpr unsigned neighbourPart = 4;
constexpr unsigned untriedPart = 8;
/// Changes of a schedule that are looked at, for the most promising one.
constexpr unsigned neighbours = 64;
/// Less measurements of a shape say nothing about it.
constexpr unsigned shapeMeasurements = 2;
/// So many measurements of a variant, or of variants of a kind, say what it is worth: it is left where its best is slower than the fastest by
/// more than this, and the sooner the more of them there are.
constexpr unsigned tellingMeasurements = 20;
constexpr double hopelessExcess = 0.5;
/// After so many measurements the share of a kind of variants falls as its speed, after twice as many as the square of it.
constexpr double patience = 8;

class EvolutionarySearch : public PolicyBase {
public:
  using PolicyBase::PolicyBase;

  std::vector<Scored> search(unsigned count, Random random) override {
    judgeVariants();
    // At first the model knows no more than the estimate.
    unsigned estimated = count / (measured().size() < tellingMeasurements ? 2 : estimatedPart);
    Evolution byEstimate = evolve([&](llvm::ArrayRef<State> states) { return estimate(states); }, options().population / estimatedPart,
                                  random.fork(0));
    std::vector<Scored> found = takeUntried(byEstimate.best, count / untriedPart);
    size_t candidates = byEstimate.best.size();
    for (Scored &each : varied(highest(std::move(byEstimate.best), candidates), estimated - found.size()))
      found.push_back(std::move(each));
    Evolution byModel = evolve([&](llvm::ArrayRef<State> states) { return predict(states); },
                               options().population - options().population / estimatedPart, random.fork(1));
    for (Scored &each : found) {
      byModel.best.erase(space().keyOf(each.state));
      each.score = predict(each.state).front();
    }
    for (Scored &each : besideFastest(count / neighbourPart, found, random.fork(3))) {
      byModel.best.erase(space().keyOf(each.state));
      found.push_back(std::move(each));
    }
    std::vector<Scored> others = pick(std::move(byModel), count - found.size(), random.fork(2));
    others.insert(others.end(), std::make_move_iterator(found.begin()), std::make_move_iterator(found.end()));
    return others;
  }

private:
  /// What one evolution found, and what it began with.
  struct Evolution {
    Pool best;
    std::vector<State> initial;
  };

  using Score = llvm::function_ref<std::vector<double>(llvm::ArrayRef<State>)>;

  /// What the measurements say of a variant, or of a kind of variants (Space::kindOf).
  struct Tally {
    unsigned measured = 0;
    double bestSeconds = 0;

    bool isTelling() const { return measured >= tellingMeasurements; }
    bool isHopeless(double fastest) const {
      return isTelling() && bestSeconds > fastest * (1 + hopelessExcess * tellingMeasurements / measured);
    }
  };

  void judgeVariants() {
    ofVariants.clear();
    ofKinds.clear();
    ofShapes.clear();
    for (const Measured &each : llvm::reverse(measured())) {
      ++ofShapes[shapeOf(each.state)];
      for (Tally *tally : {&ofVariants[each.state.variant], &ofKinds[space().kindOf(each.state)]}) {
        ++tally->measured;
        tally->bestSeconds = each.costSeconds;
      }
    }
  }

  bool isHopeless(const State &state) const {
    if (measured().empty())
      return false;
    double fastest = measured().front().costSeconds;
    auto variant = ofVariants.find(state.variant);
    auto kind = ofKinds.find(space().kindOf(state));
    return (variant != ofVariants.end() && variant->second.isHopeless(fastest)) || (kind != ofKinds.end() && kind->second.isHopeless(fastest));
  }

  bool isUntried(const State &state) const {
    auto kind = ofKinds.find(space().kindOf(state));
    return kind == ofKinds.end() || !kind->second.isTelling();
  }

  /// Whose neighbours are worth a look: the fastest of each shape for a half, and the fastest.
  std::vector<const State *> parents(unsigned count) const {
    std::vector<const State *> found, others;
    std::set<Shape> shapes;
    for (const Measured &each : measured())
      (found.size() < llvm::divideCeil(count, 2) && shapes.insert(shapeOf(each.state)).second ? found : others).push_back(&each.state);
    found.insert(found.end(), others.begin(), others.end());
    found.resize(std::min<size_t>(found.size(), count));
    return found;
  }

  /// Of each of `count` parents the most promising one of some states that differ from it by a change or two. Not one of `found`.
  std::vector<Scored> besideFastest(unsigned count, llvm::ArrayRef<Scored> found, Random random) const {
    std::set<StateKey> taken;
    for (const Scored &each : found)
      taken.insert(space().keyOf(each.state));
    std::vector<Scored> beside;
    for (const State *parent : parents(count)) {
      std::vector<State> changed;
      for (unsigned attempt = 0; attempt < neighbours; ++attempt) {
        std::optional<State> state = mutate(space(), *parent, random);
        if (state && random.chance(0.5))
          state = mutate(space(), *state, random);
        if (state && !isHopeless(*state) && !isSeen(*state) && !taken.count(space().keyOf(*state)))
          changed.push_back(std::move(*state));
      }
      std::vector<double> scores = predict(changed);
      if (scores.empty())
        continue;
      size_t best = llvm::max_element(scores) - scores.begin();
      taken.insert(space().keyOf(changed[best]));
      beside.push_back({std::move(changed[best]), scores[best]});
    }
    return beside;
  }

  Evolution evolve(Score score, unsigned size, Random random) const {
    std::vector<State> population = startPopulation(size, random.fork(0));
    Evolution found{{}, population};
    for (unsigned generation = 0;; ++generation) {
      std::vector<double> scores = scoresOf(population, score, found.best);
      if (generation == options().generations || population.empty())
        break;
      population = nextGeneration(population, scores, random.fork(generation + 1));
    }
    for (auto each = found.best.begin(); each != found.best.end();)
      each = isSeen(each->first) ? found.best.erase(each) : std::next(each);
    return found;
  }

  /// Many states come again in the next generation: only those that `known` does not hold are scored, and added to it.
  std::vector<double> scoresOf(llvm::ArrayRef<State> population, Score score, Pool &known) const {
    std::vector<StateKey> keys(population.size());
    forEachSlot(keys.size(), options().workers, [&](size_t slot) { keys[slot] = space().keyOf(population[slot]); });
    std::vector<Scored *> added;
    std::vector<State> states;
    for (auto [key, state] : llvm::zip_equal(keys, population))
      if (auto [at, isNew] = known.try_emplace(key, Scored{{}, 0}); isNew) {
        added.push_back(&at->second);
        states.push_back(state);
      }
    std::vector<double> newScores = score(states);
    for (auto [each, state, score] : llvm::zip_equal(added, states, newScores))
      *each = {std::move(state), score};
    std::vector<double> scores;
    for (const StateKey &key : keys)
      scores.push_back(known.at(key).score);
    return scores;
  }

  std::vector<State> startPopulation(unsigned size, Random random) const {
    std::vector<std::optional<State>> drawn(size);
    size_t fromMeasured = std::min<size_t>(measured().size(), static_cast<size_t>(measuredPart * size));
    forEachSlot(drawn.size(), options().workers, [&](size_t slot) {
      Random own = random.fork(slot);
      drawn[slot] = slot < fromMeasured ? measured()[slot].state : sampleHopeful(own);
    });
    std::vector<State> population;
    for (std::optional<State> &state : drawn)
      if (state)
        population.push_back(std::move(*state));
    if (options().useDefaults)
      population.push_back(space().defaultState());
    return population;
  }

  /// Hopeless variants are drawn seldom.
  std::optional<State> sampleHopeful(Random &random) const {
    constexpr unsigned attempts = 4;
    std::optional<State> state = space().sample(random);
    for (unsigned attempt = 1; attempt < attempts && (!state || isHopeless(*state)); ++attempt)
      state = space().sample(random);
    return state;
  }

  std::vector<State> nextGeneration(llvm::ArrayRef<State> parents, llvm::ArrayRef<double> scores, Random random) const {
    std::vector<State> children(parents.size());
    forEachSlot(children.size(), options().workers, [&](size_t slot) {
      Random own = random.fork(slot);
      children[slot] = breed(parents, scores, own);
    });
    return children;
  }

  State breed(llvm::ArrayRef<State> parents, llvm::ArrayRef<double> scores, Random &random) const {
    const State &parent = parents[tournament(parents, scores, random)];
    if (random.chance(options().crossoverProbability))
      if (std::optional<State> child = crossOver(space(), parent, parents[tournament(parents, scores, random)], random))
        return std::move(*child);
    if (random.chance(options().mutationProbability))
      if (std::optional<State> child = mutate(space(), parent, random))
        return std::move(*child);
    return parent;
  }

  /// The best of a few drawn at random, those of one kind of variants only: the scale of a model's scores does not matter, nor which kind it
  /// takes for the best.
  size_t tournament(llvm::ArrayRef<State> states, llvm::ArrayRef<double> scores, Random &random) const {
    size_t winner = random.below(scores.size());
    for (unsigned round = 1; round < tournamentSize; ++round) {
      size_t other = random.below(scores.size());
      if (scores[other] > scores[winner] && space().kindOf(states[other]) == space().kindOf(states[winner]))
        winner = other;
    }
    return winner;
  }

  /// How many of `count` may be of each kind of variants. Equal shares as long as nothing was measured; a slower kind has a smaller one, and the more so
  /// the more of it was measured. When all were measured enough, the model decides.
  std::map<int64_t, size_t> sharesOfKinds(llvm::ArrayRef<Scored> candidates, size_t count) const {
    std::map<int64_t, double> weights;
    bool comparesKinds = false;
    for (const Scored &each : candidates)
      if (!isHopeless(each.state)) {
        comparesKinds |= isUntried(each.state);
        auto tally = ofKinds.find(space().kindOf(each.state));
        weights[space().kindOf(each.state)] =
            tally == ofKinds.end()
                ? 1
                : std::pow(measured().front().costSeconds / tally->second.bestSeconds, tally->second.measured / patience);
      }
    double total = 0;
    for (auto [kind, weight] : weights)
      total += weight;
    std::map<int64_t, size_t> shares;
    for (auto [kind, weight] : weights)
      shares[kind] = comparesKinds ? static_cast<size_t>(std::ceil(static_cast<double>(count) * weight / total)) : count;
    return shares;
  }

  /// The first `count`, but no more than a part of them with one register block, or of one variant, as long as there are others: what a
  /// model errs in concerns all schedules of a block or a variant alike. Kinds of variants have their shares.
  std::vector<Scored> varied(std::vector<Scored> sorted, size_t count) const {
    std::map<std::vector<int64_t>, size_t> perBlock;
    std::map<unsigned, size_t> perVariant;
    std::map<int64_t, size_t> perKind;
    std::vector<Scored> taken, rest;
    std::map<int64_t, size_t> mostOfKind = sharesOfKinds(sorted, count);
    for (Scored &each : sorted) {
      if (taken.size() == count)
        break;
      size_t &ofBlock = perBlock[blocksOf(each.state)], &ofVariant = perVariant[each.state.variant];
      size_t &ofKind = perKind[space().kindOf(each.state)];
      bool isRare = ofBlock < std::max<size_t>(1, count / blocksPerProposal) && ofVariant < std::max<size_t>(1, count / variantsPerProposal) &&
                    ofKind < mostOfKind[space().kindOf(each.state)] && !isHopeless(each.state);
      ofBlock += isRare;
      ofVariant += isRare;
      ofKind += isRare;
      (isRare ? taken : rest).push_back(std::move(each));
    }
    for (size_t next = 0; taken.size() < count && next < rest.size(); ++next)
      taken.push_back(std::move(rest[next]));
    return taken;
  }

  std::vector<int64_t> blocksOf(const State &state) const {
    std::vector<int64_t> sizes = {state.variant};
    for (auto [nest, schedule] : llvm::zip_equal(space().nests(state), state.nests)) {
      sizes.push_back(schedule.vectorDim.value_or(~0U));
      llvm::SmallVector<int64_t, 8> block = blockSizes(nest.traits, schedule);
      for (unsigned dim : nest.traits.parallel)
        sizes.push_back(block[dim]);
    }
    return sizes;
  }

  /// The variant, and along which dimension how many vectors make the register block of the nest with most of the work.
  using Shape = std::array<int64_t, 3>;
  Shape shapeOf(const State &state) const {
    llvm::ArrayRef<NestSpace> nests = space().nests(state);
    size_t main = 0;
    for (size_t number = 1; number < nests.size(); ++number)
      if (nests[number].traits.operations > nests[main].traits.operations)
        main = number;
    const schedule::NestSchedule &nest = state.nests[main];
    if (!nest.vectorDim)
      return {state.variant, -1, 0};
    int64_t size = blockSizes(nests[main].traits, nest)[*nest.vectorDim];
    return {state.variant, *nest.vectorDim, static_cast<int64_t>(llvm::divideCeil(size, nest.lanes))};
  }

  /// Of each shape that was hardly measured the most promising one, at most `most` of them, those of new variants first: what scores put behind all others as
  /// a whole would never be measured.
  std::vector<Scored> takeUntried(Pool &pool, size_t most) const {
    std::map<Shape, Pool::iterator> tops;
    for (auto each = pool.begin(); each != pool.end(); ++each) {
      const auto &[state, score] = each->second;
      auto tried = ofShapes.find(shapeOf(state));
      if (isHopeless(state) || (tried != ofShapes.end() && tried->second >= shapeMeasurements))
        continue;
      auto [top, isNew] = tops.try_emplace(shapeOf(state), each);
      if (!isNew && score > top->second->second.score)
        top->second = each;
    }
    std::vector<Pool::iterator> order;
    for (auto [shape, top] : tops)
      order.push_back(top);
    llvm::sort(order, [&](Pool::iterator a, Pool::iterator b) {
      auto rank = [&](Pool::iterator each) { return std::tuple(ofVariants.count(each->second.state.variant), -each->second.score, each->first); };
      return rank(a) < rank(b);
    });
    std::vector<Scored> taken;
    for (Pool::iterator each : llvm::ArrayRef(order).take_front(most)) {
      taken.push_back(std::move(each->second));
      pool.erase(each);
    }
    return taken;
  }

  std::vector<Scored> pick(Evolution evolution, unsigned count, Random random) const {
    auto &[best, initial] = evolution;
    unsigned atRandom = static_cast<unsigned>(std::ceil(options().epsilon * count));
    std::vector<Scored> explored = takeUntried(best, count / untriedPart);
    atRandom += explored.size();
    for (unsigned attempt = 0; attempt < 4 * atRandom && explored.size() < atRandom && !initial.empty(); ++attempt) {
      auto found = best.find(space().keyOf(random.pick<State>(initial)));
      if (found == best.end())
        continue;
      explored.push_back(std::move(found->second));
      best.erase(found);
    }
    size_t candidates = best.size();
    std::vector<Scored> picked = varied(highest(std::move(best), candidates), count - explored.size());
    picked.insert(picked.end(), std::make_move_iterator(explored.begin()), std::make_move_iterator(explored.end()));
    return picked;
  }

  std::map<unsigned, Tally> ofVariants;
  std::map<int64_t, Tally> ofKinds;
  std::map<Shape, unsigned> ofShapes;
};

} // namespace

std::unique_ptr<SearchPolicy> createEvolutionarySearch(SearchContext context) {
  return std::make_unique<EvolutionarySearch>(std::move(context));
}

} // namespace cameo::autotune
