// Searches schedules of a task on a GPU. The space of a nest is a list: the schedule of the rules first, then tiles
// ordered by the cycles that their analytical model predicts, then schedules without such a prediction. A candidate
// takes one element of each list. After the first measurements, a cost model selects the candidates to measure.
#include "autotune/Search/GpuSearch.h"

#include "autotune/CostModel/CostModel.h"
#include "autotune/Features/GpuFeatures.h"
#include "autotune/Space/Random.h"
#include "passes/Schedule/Nests/Build/BuildNests.h"
#include "passes/Schedule/Rules/Gpu/ChooseBlockTile.h"
#include "passes/Schedule/Rules/Gpu/ChooseOnline.h"
#include "passes/Schedule/Rules/Gpu/ChoosePool.h"
#include "passes/Schedule/Steps/GpuRules.h"
#include "passes/Schedule/Steps/RegisterSteps.h"
#include "passes/Schedule/Steps/ScheduleSteps.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/FormatVariadic.h"

#include <limits>

using namespace cameo::schedule;

namespace cameo::autotune {
namespace {

/// One possible schedule of a nest.
struct NestOption {
  ThreadSchedule schedule;
  double cycles = 0; ///< predicted by the analytical model of the rules; orders the list
  std::array<int64_t, 8> knobs =
      {};                  ///< parameters of the schedule; two options that differ in one of them are neighbours
  bool isAbsorbed = false; ///< whether blocks of another nest compute the nest

  /// Returns nothing if the analytical model has no prediction.
  std::optional<double> rulesCycles() const {
    if (isAbsorbed)
      return 0;
    return cycles > 0 && cycles < std::numeric_limits<double>::max() ? std::optional(cycles) : std::nullopt;
  }
};

bool isSame(const ThreadSchedule &a, const ThreadSchedule &b) {
  return a.loops.loops == b.loops.loops && a.loops.vectorDim == b.loops.vectorDim && a.loops.lanes == b.loops.lanes &&
         a.loops.packedBuffers == b.loops.packedBuffers && a.threads == b.threads;
}

bool isBefore(const NestOption &a, const NestOption &b) {
  return std::tie(a.cycles, a.knobs) < std::tie(b.cycles, b.knobs);
}

bool areNeighbours(const NestOption &a, const NestOption &b) {
  unsigned different = 0;
  for (auto [mine, theirs] : llvm::zip_equal(a.knobs, b.knobs))
    different += mine != theirs;
  return different == 1;
}

/// Returns the parameters of a tile. Those of tensor cores, which have no loop to unroll, are no neighbours of others.
std::array<int64_t, 8> knobsOf(const BlockTileOption &tile, int64_t unroll) {
  constexpr int64_t ofTensor = -1;
  const BlockShape &shape = tile.shape;
  const GpuSchedule &threads = tile.schedule.threads;
  int64_t staging = threads.copy == Copy::Async ? -int64_t(threads.stages) : int64_t(threads.stages);
  return {shape.rows,  shape.columns, shape.threadRows, shape.threadColumns,
          shape.depth, staging,       tile.splits,      threads.tensor ? ofTensor : unroll};
}

/// Finds the possible schedules of one nest.
class NestOptions {
public:
  NestOptions(const TaskProgram &program, const NestGroup &group, const LoopNest &nest, const GpuMachine &gpu)
      : program(program), group(group), nest(nest), gpu(gpu) {}

  std::vector<NestOption> find();

private:
  bool isValid(const ThreadSchedule &schedule) const;
  void addTiles();
  void addPlain();

  const TaskProgram &program;
  const NestGroup &group;
  const LoopNest &nest;
  const GpuMachine &gpu;
  std::vector<NestOption> all;
};

bool NestOptions::isValid(const ThreadSchedule &schedule) const {
  bool isAlone = group.rowDims == 0 && group.nests.size() == 1;
  return verifyForGpu({nest, schedule.loops, schedule.threads, group.rowDims, isAlone, gpu}).empty();
}

void NestOptions::addTiles() {
  if (group.rowDims > 0 || group.nests.size() > 1)
    return;
  constexpr int64_t unrolls[] = {0, 8};
  for (const BlockTileOption &tile : blockTileOptions(program, nest, gpu))
    for (int64_t unroll : unrolls) {
      if (tile.schedule.threads.tensor && unroll > 0)
        continue;
      NestOption option{tile.schedule, tile.cycles, knobsOf(tile, unroll)};
      option.schedule.threads.unroll = unroll;
      // If the predictions are equal, the option without unrolling comes first.
      constexpr double worse = 1.05;
      option.cycles *= unroll > 0 ? worse : 1;
      if (isValid(option.schedule))
        all.push_back(std::move(option));
    }
}

void NestOptions::addPlain() {
  for (ThreadSchedule &plain : plainOptions(group, nest)) {
    // The keys sort these options after all tiles, in this order.
    NestOption option{std::move(plain), std::numeric_limits<double>::max(), {}};
    option.knobs.front() = static_cast<int64_t>(all.size()) - std::numeric_limits<int32_t>::max();
    if (isValid(option.schedule))
      all.push_back(std::move(option));
  }
}

std::vector<NestOption> NestOptions::find() {
  addTiles();
  // Tiles that the analytical model ranks far behind are not worth their memory.
  constexpr size_t most = 4096;
  llvm::sort(all, isBefore);
  all.resize(std::min(all.size(), most));
  addPlain();
  llvm::sort(all, isBefore);
  NestOption first{defaultSchedule(program, group, nest, gpu), 0, {}};
  auto known = llvm::find_if(all, [&](const NestOption &option) { return isSame(option.schedule, first.schedule); });
  if (known != all.end()) {
    first = *known;
    all.erase(known);
  }
  all.insert(all.begin(), std::move(first));
  return std::move(all);
}

/// Holds for each nest the index of an option in its list.
using Choice = llvm::SmallVector<unsigned>;

/// Sorts by descending prediction; ties stay in order.
void sortByPrediction(llvm::MutableArrayRef<Candidate> candidates) {
  llvm::SmallVector<size_t> order = llvm::to_vector(llvm::seq(candidates.size()));
  llvm::sort(order, [&](size_t a, size_t b) {
    return std::pair(-candidates[a].predicted, a) < std::pair(-candidates[b].predicted, b);
  });
  std::vector<Candidate> sorted;
  for (size_t number : order)
    sorted.push_back(candidates[number]);
  llvm::copy(sorted, candidates.begin());
}

class GpuSearch : public SearchPolicy {
public:
  GpuSearch(SearchTask task, SearchOptions options, TaskProgram program);

  std::vector<Candidate> propose(unsigned count, unsigned workers) override;
  void observe(llvm::ArrayRef<Outcome> outcomes) override;
  bool isExhausted() const override { return exhausted; }

private:
  struct Measured {
    Choice choice;
    double costSeconds;
  };
  /// Candidates that have not been proposed before, without duplicates.
  struct Pool {
    std::vector<Candidate> candidates;
    llvm::DenseSet<mlir::Attribute> known;
  };

  void addOnline();
  void addPooled();
  std::vector<const NestOption *> optionsOf(const Choice &choice) const;
  StepsAttr stepsOf(const Choice &choice) const;
  std::optional<Choice> choiceOf(StepsAttr steps) const;
  FeatureMatrix features(const Choice &choice) const;
  void score(llvm::MutableArrayRef<Candidate> candidates) const;
  bool isRandom() const { return options.policy == "random"; }
  bool add(const Choice &choice, Pool &pool);
  bool take(const Choice &choice, std::vector<Candidate> &candidates);
  Choice draw(Random &random) const;
  Choice change(const Choice &parent, Random &random) const;
  void takeSeeds(unsigned count, std::vector<Candidate> &candidates);
  void takeFromPool(unsigned count, std::vector<Candidate> &candidates);
  void takeInOrder(unsigned count, std::vector<Candidate> &candidates);
  void evolve(unsigned count, Random &random, Pool &pool);

  SearchTask task;
  SearchOptions options;
  TaskProgram program;
  GpuFeatureExtractor extractor;
  std::vector<std::vector<NestOption>> nests;
  llvm::DenseMap<size_t, llvm::SmallVector<unsigned>> pooled; ///< the nests that blocks of a nest may compute, too
  llvm::DenseMap<mlir::Attribute, Choice> choices;            ///< of all steps built so far
  llvm::DenseSet<mlir::Attribute> seen;
  std::vector<Measured> fastest; ///< sorted by ascending cost
  Choice next;                   ///< state of takeInOrder()
  uint64_t round = 0;
  bool exhausted = false;
};

GpuSearch::GpuSearch(SearchTask task, SearchOptions options, TaskProgram program)
    : task(std::move(task)), options(std::move(options)), program(std::move(program)),
      extractor(this->program, *this->task.gpu) {
  for (const NestGroup &group : this->program.groups)
    for (const LoopNest &nest : group.nests)
      nests.push_back(NestOptions(this->program, group, nest, *this->task.gpu).find());
  addOnline();
  addPooled();
  next.assign(nests.size(), 0);
  if (!this->options.model)
    this->options.model = createCostModel(this->options.seed);
}

/// Adds the options of attention nests: the blocks of the last nest of an attention may compute the nests before it.
/// The options go to the front if the rules choose one of them, and after the default schedule otherwise.
void GpuSearch::addOnline() {
  size_t count = 0;
  for (auto [number, group] : llvm::enumerate(program.groups)) {
    count += group.nests.size();
    std::optional<Attention> attention = findAttention(program, number);
    if (!attention)
      continue;
    std::vector<NestOption> tiles;
    for (const OnlineOption &option : onlineOptions(*attention, *task.gpu)) {
      constexpr int64_t ofOnline = -2, ofTensorOnline = -3; // no neighbours of other tiles
      NestOption &made = tiles.emplace_back(
          NestOption{{},
                     option.cycles,
                     {option.tile.rows, option.tile.keys, 0, 0, 0, 0, 0, option.tensor ? ofTensorOnline : ofOnline}});
      made.schedule.threads.online = option.tile;
      made.schedule.threads.tensor = option.tensor;
    }
    std::vector<NestOption> &nest = nests[count - 1];
    bool isDefault = defaultSchedules(program, *task.gpu).threads[count - 1].online.has_value();
    nest.insert(nest.begin() + (isDefault ? 0 : 1), tiles.begin(), tiles.end());
  }
}

/// Adds the options of nests whose blocks compute the pool behind them. These go to the front if the rules choose one
/// of them, and after the default schedule otherwise.
void GpuSearch::addPooled() {
  size_t number = 0;
  for (auto [first, group] : llvm::enumerate(program.groups)) {
    std::vector<NestOption> &nest = nests[number];
    size_t own = number;
    number += group.nests.size();
    std::optional<schedule::Pool> pool = findPool(program, first);
    if (!pool)
      continue;
    constexpr int64_t ofPool = -4; // no neighbours of other tiles
    std::vector<NestOption> tiles;
    for (BlockTileOption &tile : poolOptions(program, group.nests[0], *pool, *task.gpu)) {
      NestOption &made = tiles.emplace_back(NestOption{{}, tile.cycles, knobsOf(tile, 0)});
      made.schedule = std::move(tile.schedule);
      made.knobs.back() = ofPool;
    }
    llvm::sort(tiles, isBefore);
    constexpr size_t most = 1024;
    tiles.resize(std::min(tiles.size(), most));
    pooled[own] = pool->nests;
    bool isDefault = !defaultSchedules(program, *task.gpu).threads[own].pool.empty();
    nest.insert(nest.begin() + (isDefault ? 0 : 1), tiles.begin(), tiles.end());
  }
}

/// Returns the chosen option of each nest. A nest that blocks of an attention or of the nest before it compute gets an
/// option without steps and without cycles.
std::vector<const NestOption *> GpuSearch::optionsOf(const Choice &choice) const {
  static const NestOption absorbed{{}, 0, {}, /*isAbsorbed=*/true};
  std::vector<const NestOption *> options;
  for (auto [nest, number] : llvm::zip_equal(nests, choice)) {
    options.push_back(&nest[number]);
    if (nest[number].schedule.threads.online)
      std::fill(options.end() - attentionNests, options.end() - 1, &absorbed);
  }
  for (const auto &[nest, others] : pooled)
    if (!options[nest]->schedule.threads.pool.empty())
      for (unsigned other : others)
        options[other] = &absorbed;
  return options;
}

StepsAttr GpuSearch::stepsOf(const Choice &choice) const {
  std::vector<NestSchedule> loops;
  std::vector<GpuSchedule> threads;
  for (const NestOption *option : optionsOf(choice)) {
    loops.push_back(option->schedule.loops);
    threads.push_back(option->schedule.threads);
  }
  return toSteps(task.def->getContext(), loops, threads);
}

/// Returns nothing for schedules that are not in the space, as in some records.
std::optional<Choice> GpuSearch::choiceOf(StepsAttr steps) const {
  if (auto known = choices.find(steps); known != choices.end())
    return known->second;
  llvm::Expected<ScheduledProgram> scheduled = applySteps(steps, program, task.machine, task.gpu);
  if (!scheduled) {
    llvm::consumeError(scheduled.takeError());
    return std::nullopt;
  }
  Choice choice;
  for (auto [nest, loops, threads] : llvm::zip_equal(nests, scheduled->schedules, scheduled->gpuSchedules)) {
    auto found =
        llvm::find_if(nest, [&](const NestOption &option) { return isSame(option.schedule, {loops, threads}); });
    if (found == nest.end())
      return std::nullopt;
    choice.push_back(static_cast<unsigned>(found - nest.begin()));
  }
  return choice;
}

FeatureMatrix GpuSearch::features(const Choice &choice) const {
  llvm::SmallVector<GpuFeatureExtractor::NestChoice> chosen;
  for (const NestOption *option : optionsOf(choice))
    chosen.push_back({&option->schedule, option->rulesCycles()});
  return extractor.extract(chosen);
}

void GpuSearch::score(llvm::MutableArrayRef<Candidate> candidates) const {
  std::vector<FeatureMatrix> matrices;
  std::vector<const FeatureMatrix *> pointers;
  for (const Candidate &candidate : candidates)
    matrices.push_back(features(choices.at(candidate.steps)));
  for (const FeatureMatrix &matrix : matrices)
    pointers.push_back(&matrix);
  for (auto [candidate, predicted] : llvm::zip_equal(candidates, options.model->predict(pointers)))
    candidate.predicted = predicted;
}

bool GpuSearch::add(const Choice &choice, Pool &pool) {
  StepsAttr steps = stepsOf(choice);
  choices[steps] = choice;
  if (seen.contains(steps) || !pool.known.insert(steps).second)
    return false;
  pool.candidates.push_back({steps});
  return true;
}

bool GpuSearch::take(const Choice &choice, std::vector<Candidate> &candidates) {
  StepsAttr steps = stepsOf(choice);
  choices[steps] = choice;
  if (!seen.insert(steps).second)
    return false;
  candidates.push_back({steps});
  return true;
}

/// Draws a random choice. Options near the front of a list are more likely, unless the policy is random.
Choice GpuSearch::draw(Random &random) const {
  Choice choice;
  for (const std::vector<NestOption> &nest : nests) {
    double place = random.uniform();
    choice.push_back(
        static_cast<unsigned>((isRandom() ? place : place * place * place) * static_cast<double>(nest.size())));
  }
  return choice;
}

/// Replaces the option of one nest, most often by a neighbour.
Choice GpuSearch::change(const Choice &parent, Random &random) const {
  constexpr double nearby = 0.8;
  Choice changed = parent;
  size_t number = random.below(nests.size());
  const std::vector<NestOption> &nest = nests[number];
  llvm::SmallVector<unsigned> around;
  for (auto [other, option] : llvm::enumerate(nest))
    if (areNeighbours(option, nest[parent[number]]))
      around.push_back(other);
  changed[number] =
      !around.empty() && random.chance(nearby) ? random.pick(llvm::ArrayRef(around)) : draw(random)[number];
  return changed;
}

void GpuSearch::takeSeeds(unsigned count, std::vector<Candidate> &candidates) {
  for (StepsAttr steps : options.seeds) {
    if (candidates.size() == count)
      return;
    if (llvm::Error error = applySteps(steps, program, task.machine, task.gpu).takeError())
      llvm::consumeError(std::move(error));
    else if (seen.insert(steps).second)
      candidates.push_back({steps});
  }
}

/// Takes the choices in lexical order. Finds those of a small space that random draws have missed.
void GpuSearch::takeInOrder(unsigned count, std::vector<Candidate> &candidates) {
  constexpr unsigned most = 4096;
  for (unsigned tried = 0; tried < most && candidates.size() < count; ++tried) {
    take(next, candidates);
    size_t number = 0;
    while (number < nests.size() && ++next[number] == nests[number].size())
      next[number++] = 0;
    if (number == nests.size())
      return;
  }
}

/// Fills the pool with random draws and with neighbours of the fastest choices. Later generations add neighbours of the
/// candidates that the cost model ranks first.
void GpuSearch::evolve(unsigned count, Random &random, Pool &pool) {
  constexpr unsigned perCandidate = 16, parents = 8;
  constexpr double fromBest = 0.6;
  unsigned most = std::min(options.population, perCandidate * count), generations = std::max(options.generations, 1U);
  for (unsigned generation = 0; generation < generations; ++generation) {
    size_t scored = pool.candidates.size(), bred = std::min<size_t>(scored, count);
    for (unsigned attempt = 0; attempt < most / generations; ++attempt) {
      if (!random.chance(fromBest))
        add(draw(random), pool);
      else if (generation == 0)
        add(change(fastest[random.below(std::min<size_t>(parents, fastest.size()))].choice, random), pool);
      else if (bred > 0)
        add(change(choices.at(pool.candidates[random.below(bred)].steps), random), pool);
    }
    score(llvm::MutableArrayRef(pool.candidates).drop_front(scored));
    sortByPrediction(pool.candidates);
  }
}

/// Takes the candidates of a pool that the cost model ranks first, except for a fraction at random. Before the first
/// measurement all candidates are random, because the analytical model of the rules is too confident.
void GpuSearch::takeFromPool(unsigned count, std::vector<Candidate> &candidates) {
  Random random = Random(options.seed).fork(round++);
  Pool pool;
  size_t wanted = count - candidates.size();
  constexpr unsigned attempts = 32;
  if (!isRandom() && !fastest.empty())
    evolve(count, random, pool);
  else
    for (unsigned attempt = 0; attempt < attempts * count && pool.candidates.size() < wanted; ++attempt)
      add(draw(random), pool);
  wanted = std::min(pool.candidates.size(), wanted);
  size_t atRandom = static_cast<size_t>(static_cast<double>(wanted) * options.epsilon);
  for (size_t place = wanted - atRandom; place < wanted; ++place)
    std::swap(pool.candidates[place], pool.candidates[place + random.below(pool.candidates.size() - place)]);
  pool.candidates.resize(wanted);
  for (const Candidate &each : pool.candidates)
    take(choices.at(each.steps), candidates);
}

std::vector<Candidate> GpuSearch::propose(unsigned count, unsigned) {
  std::vector<Candidate> candidates;
  if (count == 0 || exhausted)
    return candidates;
  if (Choice defaults(nests.size(), 0); options.useDefaults && take(defaults, candidates))
    candidates.front().isDefault = true;
  takeSeeds(count, candidates);
  size_t fixed = candidates.size();
  if (candidates.size() < count)
    takeFromPool(count, candidates);
  if (candidates.size() < count)
    takeInOrder(count, candidates);
  if (!options.useDefaults)
    llvm::erase_if(candidates,
                   [&](const Candidate &candidate) { return candidate.steps == stepsOf(Choice(nests.size(), 0)); });
  exhausted = candidates.empty();
  llvm::MutableArrayRef<Candidate> searched =
      llvm::MutableArrayRef(candidates).drop_front(std::min(fixed, candidates.size()));
  score(searched);
  sortByPrediction(searched);
  return candidates;
}

void GpuSearch::observe(llvm::ArrayRef<Outcome> outcomes) {
  std::vector<Sample> samples;
  for (const Outcome &outcome : outcomes) {
    seen.insert(outcome.steps);
    std::optional<Choice> choice = choiceOf(outcome.steps);
    if (!choice)
      continue;
    samples.push_back({task.key, features(*choice), outcome.costSeconds.value_or(0)});
    if (!outcome.costSeconds)
      continue;
    auto behind = llvm::upper_bound(fastest, *outcome.costSeconds,
                                    [](double cost, const Measured &each) { return cost < each.costSeconds; });
    fastest.insert(behind, {std::move(*choice), *outcome.costSeconds});
  }
  options.model->update(samples);
}

} // namespace

llvm::Expected<std::unique_ptr<SearchPolicy>> createGpuSearch(SearchTask task, SearchOptions options) {
  if (options.policy != "evolutionary" && options.policy != "random")
    return llvm::createStringError("expected the policy evolutionary or random for a GPU, got '%s'",
                                   options.policy.c_str());
  llvm::Expected<TaskProgram> program = buildNests(task.def, task.constantArguments);
  if (!program)
    return program.takeError();
  // A context that is created before the schedule phase may not have loaded the steps.
  loadSteps(*task.def.getContext());
  return std::make_unique<GpuSearch>(std::move(task), std::move(options), std::move(*program));
}

} // namespace cameo::autotune
