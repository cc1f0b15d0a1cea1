#include "autotune/Search/TrainModel.h"

#include "autotune/Features/ExtractFeatures.h"
#include "autotune/Space/Space.h"

namespace cameo::autotune {

constexpr unsigned heldOutEvery = 5;
/// Costs that differ by less may be one measured twice.
constexpr double tolerance = 0.03;

/// The samples of one task; `ignored` counts what does not fit it.
static std::vector<Sample> samplesOf(const SearchTask &task, llvm::ArrayRef<KnownOutcome> outcomes, size_t &ignored) {
  llvm::Expected<std::unique_ptr<Space>> space =
      Space::create(task.def, task.constantArguments, task.machine, task.threads, SearchOptions().structure);
  std::vector<Sample> samples;
  if (!space) {
    llvm::consumeError(space.takeError());
    return samples;
  }
  for (const KnownOutcome &known : outcomes) {
    if (known.key != task.key)
      continue;
    llvm::Expected<State> state = (*space)->fromSteps(known.outcome.steps);
    if (!state) {
      llvm::consumeError(state.takeError());
      continue;
    }
    FeatureMatrix features =
        extractFeatures((*space)->variant(*state).program, state->nests, task.machine, task.threads);
    samples.push_back({task.key, std::move(features), known.outcome.costSeconds.value_or(0)});
    --ignored;
  }
  return samples;
}

TrainingReport trainModel(llvm::ArrayRef<SearchTask> tasks, llvm::ArrayRef<KnownOutcome> outcomes, CostModel &model,
                          uint64_t seed) {
  TrainingReport report;
  report.ignored = outcomes.size();
  std::vector<Sample> seen, heldOut;
  Random random(seed);
  for (const SearchTask &task : tasks)
    for (Sample &sample : samplesOf(task, outcomes, report.ignored))
      (random.below(heldOutEvery) == 0 ? heldOut : seen).push_back(std::move(sample));
  report.samples = seen.size() + heldOut.size();
  report.heldOut = heldOut.size();
  model.update(seen);
  report.accuracy = pairwiseAccuracy(model, heldOut, tolerance);
  report.analytic = pairwiseAccuracy(*createCostModel("analytic", seed), heldOut, tolerance);
  model.update(heldOut);
  return report;
}

} // namespace cameo::autotune
