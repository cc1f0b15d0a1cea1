// Evolutionary search over the cost model: a population of random schedules and of the fastest measured ones is mutated
// and crossed over for some generations. The best new schedules are measured, with a few random ones to train the
// model. After Ansor (Zheng et al., OSDI 2020), with crossover. A smaller population evolves by the analytic estimate
// only.
#include "autotune/Mutate/Mutator.h"
#include "autotune/Search/Variety.h"

#include <cmath>

namespace cameo::autotune {
namespace {

/// Share of the population that comes from measured schedules.
constexpr double measuredPart = 0.2;
constexpr unsigned tournamentSize = 4;
/// One in `estimatedPart` candidates comes from the analytic estimate, and one in `neighbourPart` is a neighbour of the
/// fastest. One in `untriedPart` may come from the model, and one from the estimate, with a shape (Variety::Shape) that
/// has few measurements.
constexpr unsigned estimatedPart = 4;
constexpr unsigned neighbourPart = 3;
constexpr unsigned untriedPart = 8;
/// A schedule within this factor of the fastest may become the fastest if its reduction is unrolled differently.
constexpr double nearlyFastest = 1.05;
/// Number of neighbours of a schedule from which the most promising one is taken.
constexpr unsigned neighbours = 64;

class EvolutionarySearch : public PolicyBase {
public:
  explicit EvolutionarySearch(SearchContext context)
      : PolicyBase(std::move(context)), variety(space()), weights(mutationWeights(options().mutationWeights)) {}

  std::vector<Scored> search(unsigned count, Random random) override {
    variety.observe(measured());
    // At first the model knows no more than the estimate, and which schedule is the fastest is random.
    bool isEarly = measured().size() < Variety::tellingMeasurements;
    unsigned estimated = count / (isEarly ? 2 : estimatedPart), beside = isEarly ? 0 : count / neighbourPart;
    Evolution byEstimate = evolve([&](llvm::ArrayRef<State> states) { return estimate(states); },
                                  options().population / estimatedPart, random.fork(0));
    std::vector<Scored> found = variety.takeUntried(
        byEstimate.best, std::min<size_t>(estimated, llvm::divideCeil(count, untriedPart)), {}, count);
    size_t candidates = byEstimate.best.size();
    for (Scored &each :
         variety.takeVaried(highest(std::move(byEstimate.best), candidates), estimated - found.size(), found))
      found.push_back(std::move(each));
    Evolution byModel = evolve([&](llvm::ArrayRef<State> states) { return predict(states); },
                               options().population - options().population / estimatedPart, random.fork(1));
    for (Scored &each : found) {
      byModel.best.erase(space().keyOf(each.state));
      each.score = predict(each.state).front();
    }
    for (Scored &each : besideFastest(beside, found, random.fork(3))) {
      byModel.best.erase(space().keyOf(each.state));
      found.push_back(std::move(each));
    }
    std::vector<Scored> others = pick(std::move(byModel), count - found.size(), found, random.fork(2));
    others.insert(others.end(), std::make_move_iterator(found.begin()), std::make_move_iterator(found.end()));
    return others;
  }

private:
  /// The result of one evolution, and its initial population.
  struct Evolution {
    Pool best;
    std::vector<State> initial;
  };

  using Score = llvm::function_ref<std::vector<double>(llvm::ArrayRef<State>)>;

  /// Returns schedules whose neighbours are tried: for one half the fastest schedule of each shape that is nearly as
  /// fast as the best, those of shapes with the fewest measurements first; and the fastest schedules.
  std::vector<const State *> parents(unsigned count) const {
    std::map<Variety::Shape, unsigned> times;
    for (const Measured &each : measured())
      ++times[variety.shapeOf(each.state)];
    std::vector<std::pair<unsigned, const State *>> ofShapes; // fastest first
    std::set<Variety::Shape> shapes;
    for (const Measured &each : measured())
      if (Variety::Shape shape = variety.shapeOf(each.state);
          each.costSeconds <= nearlyFastest * measured().front().costSeconds && shapes.insert(shape).second)
        ofShapes.push_back({times[shape], &each.state});
    std::vector<const State *> found;
    for (; found.size() < llvm::divideCeil(count, 2) && !ofShapes.empty();) {
      auto least = llvm::min_element(ofShapes, llvm::less_first());
      found.push_back(least->second);
      ofShapes.erase(least);
    }
    for (const Measured &each : measured())
      if (found.size() < count && !llvm::is_contained(found, &each.state))
        found.push_back(&each.state);
    return found;
  }

  /// Returns for each of `count` parents the most promising of some states that differ from it by one or two mutations.
  /// For parents of different shapes, only unrolled steps are mutated, because scores hardly distinguish these, but
  /// measurements do. Excludes the states in `found`.
  std::vector<Scored> besideFastest(unsigned count, llvm::ArrayRef<Scored> found, Random random) const {
    std::set<StateKey> taken;
    for (const Scored &each : found)
      taken.insert(space().keyOf(each.state));
    std::vector<Scored> beside;
    for (auto [number, parent] : llvm::enumerate(parents(count))) {
      std::vector<State> changed;
      for (unsigned attempt = 0; attempt < neighbours; ++attempt) {
        bool onlyUnrolls = number < llvm::divideCeil(count, 2);
        std::optional<State> state =
            onlyUnrolls ? unrolledOtherwise(*parent, random) : mutate(space(), *parent, random, weights);
        if (state && !onlyUnrolls && random.chance(0.5))
          state = mutate(space(), *state, random, weights);
        if (state && !variety.isHopeless(*state) && !isSeen(*state) && !taken.count(space().keyOf(*state)))
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

  std::optional<State> unrolledOtherwise(State state, Random &random) const {
    return getUnrollingMutator()->apply(space(), state, random) ? std::optional(std::move(state)) : std::nullopt;
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

  /// Many states recur in the next generation: only states that are not in `known` are scored, and added to it.
  std::vector<double> scoresOf(llvm::ArrayRef<State> population, Score score, Pool &known) const {
    std::vector<StateKey> keys(population.size());
    forEachSlot(keys.size(), [&](size_t slot) { keys[slot] = space().keyOf(population[slot]); });
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
    forEachSlot(drawn.size(), [&](size_t slot) {
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

  /// Samples a state, rarely one of a hopeless variant.
  std::optional<State> sampleHopeful(Random &random) const {
    constexpr unsigned attempts = 4;
    std::optional<State> state = space().sample(random);
    for (unsigned attempt = 1; attempt < attempts && (!state || variety.isHopeless(*state)); ++attempt)
      state = space().sample(random);
    return state;
  }

  std::vector<State> nextGeneration(llvm::ArrayRef<State> parents, llvm::ArrayRef<double> scores, Random random) const {
    std::vector<State> children(parents.size());
    forEachSlot(children.size(), [&](size_t slot) {
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
      if (std::optional<State> child = mutate(space(), parent, random, weights))
        return std::move(*child);
    return parent;
  }

  /// Returns the best of a few random states, all of one kind of variants, so that neither the scale of the scores nor
  /// the model's ranking of the kinds matters.
  size_t tournament(llvm::ArrayRef<State> states, llvm::ArrayRef<double> scores, Random &random) const {
    size_t winner = random.below(scores.size());
    for (unsigned round = 1; round < tournamentSize; ++round) {
      size_t other = random.below(scores.size());
      if (scores[other] > scores[winner] && space().kindOf(states[other]) == space().kindOf(states[winner]))
        winner = other;
    }
    return winner;
  }

  /// Returns `count` more candidates for a proposal that holds `found`.
  std::vector<Scored> pick(Evolution evolution, unsigned count, llvm::ArrayRef<Scored> found, Random random) const {
    auto &[best, initial] = evolution;
    unsigned atRandom = static_cast<unsigned>(std::ceil(options().epsilon * count));
    std::vector<Scored> explored =
        variety.takeUntried(best, llvm::divideCeil(count, untriedPart), found, found.size() + count);
    atRandom = std::min<size_t>(count, atRandom + explored.size());
    for (unsigned attempt = 0; attempt < 4 * atRandom && explored.size() < atRandom && !initial.empty(); ++attempt) {
      auto drawn = best.find(space().keyOf(random.pick<State>(initial)));
      if (drawn == best.end())
        continue;
      explored.push_back(std::move(drawn->second));
      best.erase(drawn);
    }
    size_t candidates = best.size();
    std::vector<Scored> chosen(found.begin(), found.end());
    chosen.insert(chosen.end(), explored.begin(), explored.end());
    std::vector<Scored> picked =
        variety.takeVaried(highest(std::move(best), candidates), count - explored.size(), chosen);
    picked.insert(picked.end(), std::make_move_iterator(explored.begin()), std::make_move_iterator(explored.end()));
    return picked;
  }

  Variety variety;
  std::vector<double> weights; ///< weights of the mutators
};

} // namespace

std::unique_ptr<SearchPolicy> createEvolutionarySearch(SearchContext context) {
  return std::make_unique<EvolutionarySearch>(std::move(context));
}

} // namespace cameo::autotune
