#include "autotune/Search/PolicyBase.h"

#include <atomic>
#include <thread>

namespace cameo::autotune {

SearchPolicy::~SearchPolicy() = default;

void PolicyBase::forEachSlot(size_t count, llvm::function_ref<void(size_t)> work) const {
  std::atomic<size_t> next = 0;
  const size_t batch = std::clamp<size_t>(count / (8 * threads), 1, 16);
  auto run = [&] {
    for (size_t begin = next.fetch_add(batch); begin < count; begin = next.fetch_add(batch))
      for (size_t slot = begin; slot < std::min(begin + batch, count); ++slot)
        work(slot);
  };
  std::vector<std::thread> others;
  for (unsigned thread = 1; thread < threads; ++thread)
    others.emplace_back(run);
  run();
  for (std::thread &other : others)
    other.join();
}

llvm::Expected<SearchContext> createContext(SearchTask task, SearchOptions options) {
  if (!isTileStructure(options.structure))
    return llvm::createStringError("expected a tile structure of the letters S and R that begins with S and has at "
                                   "least two S and one R, got '%s'",
                                   options.structure.c_str());
  llvm::Expected<std::unique_ptr<Space>> space = Space::create(
      task.def, task.constantArguments, task.machine, task.threads, options.structure, options.rules, task.limits);
  if (!space)
    return space.takeError();
  if (!options.model)
    options.model = createCostModel(options.seed);
  return SearchContext{std::move(task), std::move(options), std::move(*space)};
}

PolicyBase::PolicyBase(SearchContext context)
    : context(std::move(context)), analytic(createCostModel("analytic", this->context.options.seed)) {
  for (const Variant &variant : space().allVariants())
    extractors.emplace_back(variant.program, this->context.task.machine, this->context.task.threads);
}

std::optional<State> PolicyBase::baselineState() const {
  if (!options().baseline)
    return std::nullopt;
  llvm::Expected<State> state = space().fromSteps(options().baseline);
  if (state)
    return std::move(*state);
  llvm::consumeError(state.takeError());
  return std::nullopt;
}

std::vector<Candidate> PolicyBase::propose(unsigned count, unsigned workers) {
  std::vector<Candidate> candidates;
  threads = workers;
  if (count == 0 || exhausted)
    return candidates;
  auto take = [&](const State &state, double score) {
    if (seen.insert(space().keyOf(state)).second)
      candidates.push_back({space().toSteps(state), score});
  };
  std::optional<State> baseline = baselineState();
  if (baseline && !isSeen(*baseline))
    take(*baseline, predict(*baseline).front());
  if (State defaults = space().defaultState(); !baseline && options().useDefaults && !isSeen(defaults))
    take(defaults, predict(defaults).front());
  for (Candidate &first : candidates)
    first.isDefault = true;
  for (schedule::StepsAttr steps : options().seeds) {
    llvm::Expected<State> state = space().fromSteps(steps);
    if (!state)
      llvm::consumeError(state.takeError());
    else if (candidates.size() < count)
      take(*state, predict(*state).front());
  }
  if (candidates.size() == count)
    return candidates;
  // A second attempt uses other random numbers. The space counts as exhausted only after both fail.
  std::vector<Scored> found;
  for (unsigned attempt = 0; attempt < 2 && found.empty(); ++attempt)
    found = search(count - candidates.size(), Random(options().seed).fork(round++));
  exhausted = found.empty();
  for (const Scored &each : found)
    take(each.state, each.score);
  return candidates;
}

void PolicyBase::observe(llvm::ArrayRef<Outcome> outcomes) {
  std::vector<Sample> samples;
  for (const Outcome &outcome : outcomes) {
    llvm::Expected<State> state = space().fromSteps(outcome.steps);
    if (!state) {
      llvm::consumeError(state.takeError());
      continue;
    }
    seen.insert(space().keyOf(*state));
    samples.push_back({context.task.key, features(*state), outcome.costSeconds.value_or(0)});
    if (!outcome.costSeconds)
      continue;
    auto behind = llvm::upper_bound(fastest, *outcome.costSeconds,
                                    [](double cost, const Measured &each) { return cost < each.costSeconds; });
    fastest.insert(behind, {std::move(*state), *outcome.costSeconds});
  }
  context.options.model->update(samples);
  learn();
}

std::vector<PolicyBase::Scored> PolicyBase::highest(Pool pool, size_t count) {
  std::vector<Pool::value_type *> sorted;
  for (Pool::value_type &each : pool)
    sorted.push_back(&each);
  llvm::sort(sorted, [](const Pool::value_type *a, const Pool::value_type *b) {
    return a->second.score != b->second.score ? a->second.score > b->second.score : a->first < b->first;
  });
  sorted.resize(std::min(sorted.size(), count));
  std::vector<Scored> taken;
  for (Pool::value_type *each : sorted)
    taken.push_back(std::move(each->second));
  return taken;
}

FeatureMatrix PolicyBase::features(const State &state) const { return extractors[state.variant].extract(state.nests); }

std::vector<double> PolicyBase::score(const CostModel &model, llvm::ArrayRef<State> states) const {
  // Number of states per prediction: enough to fill the chunks of the model.
  constexpr size_t asked = 128;
  std::vector<double> scores(states.size());
  forEachSlot(llvm::divideCeil(states.size(), asked), [&](size_t slot) {
    llvm::ArrayRef<State> own = states.slice(slot * asked).take_front(asked);
    std::vector<FeatureMatrix> matrices;
    std::vector<const FeatureMatrix *> pointers;
    for (const State &state : own)
      matrices.push_back(features(state));
    for (const FeatureMatrix &matrix : matrices)
      pointers.push_back(&matrix);
    llvm::copy(model.predict(pointers), scores.begin() + slot * asked);
  });
  return scores;
}

} // namespace cameo::autotune
