// Evolution over the cost model: a population of random and of the fastest measured schedules, mutated and crossed for some
// generations; the best new ones are measured, with a few random ones for the model's sake. After Ansor (Zheng et al., OSDI
// 2020), with crossover. A smaller population evolves by the estimate alone.
#include "autotune/Mutate/Mutator.h"
#include "autotune/Search/PolicyBase.h"
#include "autotune/Space/RegisterBlock.h"

namespace cameo::autotune {
namespace {

/// Part of the population that comes from what was measured.
constexpr double measuredPart = 0.2;
constexpr unsigned tournamentSize = 4;
/// At least so many register blocks are tried in one proposal.
constexpr unsigned blocksPerProposal = 8;
/// And so many variants of the task.
constexpr unsigned variantsPerProposal = 2;
/// One of so many candidates is found by the estimate.
constexpr unsigned estimatedPart = 4;
/// So many measurements of a variant, or of variants of a kind, say what it is worth: it is left where its best is slower than the fastest by
/// more than this, and the sooner the more of them there are.
constexpr unsigned tellingMeasurements = 20;
constexpr double hopelessExcess = 0.5;

class EvolutionarySearch : public PolicyBase {
public:
  using PolicyBase::PolicyBase;

  std::vector<Scored> search(unsigned count, Random random) override {
    judgeVariants();
    unsigned estimated = count / estimatedPart;
    Evolution byEstimate = evolve([&](llvm::ArrayRef<State> states) { return estimate(states); }, options().population / estimatedPart,
                                  random.fork(0));
    std::vector<Scored> found = varied(highest(byEstimate.best, byEstimate.best.size()), estimated);
    Evolution byModel = evolve([&](llvm::ArrayRef<State> states) { return predict(states); },
                               options().population - options().population / estimatedPart, random.fork(1));
    for (Scored &each : found) {
      byModel.best.erase(space().keyOf(each.state));
      each.score = predict(each.state).front();
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
    for (const Measured &each : llvm::reverse(measured()))
      for (Tally *tally : {&ofVariants[each.state.variant], &ofKinds[space().kindOf(each.state)]}) {
        ++tally->measured;
        tally->bestSeconds = each.costSeconds;
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

  /// The first `count`, but no more than a part of them with one register block, or of one variant, as long as there are others: what a
  /// model errs in concerns all schedules of a block or a variant alike. Kinds of variants that were hardly measured have equal parts.
  std::vector<Scored> varied(std::vector<Scored> sorted, size_t count) const {
    std::map<std::vector<int64_t>, size_t> perBlock;
    std::map<unsigned, size_t> perVariant;
    std::map<int64_t, size_t> perKind;
    std::vector<Scored> taken, rest;
    std::set<int64_t> hopeful;
    bool comparesKinds = false;
    for (const Scored &each : sorted)
      if (!isHopeless(each.state)) {
        hopeful.insert(space().kindOf(each.state));
        comparesKinds |= isUntried(each.state);
      }
    size_t mostOfKind = comparesKinds ? llvm::divideCeil(count, hopeful.size()) : count;
    for (Scored &each : sorted) {
      if (taken.size() == count)
        break;
      size_t &ofBlock = perBlock[blocksOf(each.state)], &ofVariant = perVariant[each.state.variant];
      size_t &ofKind = perKind[space().kindOf(each.state)];
      bool isRare = ofBlock < std::max<size_t>(1, count / blocksPerProposal) && ofVariant < std::max<size_t>(1, count / variantsPerProposal) &&
                    ofKind < mostOfKind && !isHopeless(each.state);
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

  std::vector<Scored> pick(Evolution evolution, unsigned count, Random random) const {
    auto &[best, initial] = evolution;
    unsigned atRandom = static_cast<unsigned>(options().epsilon * count);
    std::vector<Scored> explored;
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
};

} // namespace

std::unique_ptr<SearchPolicy> createEvolutionarySearch(SearchContext context) {
  return std::make_unique<EvolutionarySearch>(std::move(context));
}

} // namespace cameo::autotune
