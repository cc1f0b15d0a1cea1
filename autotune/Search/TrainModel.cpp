#include "autotune/Search/TrainModel.h"

#include "autotune/Features/ExtractFeatures.h"
#include "autotune/Space/Space.h"

namespace cameo::autotune {

constexpr unsigned heldOutEvery = 5;
constexpr size_t taskParts = 5;
/// Costs that differ by less may be equal within the noise of measurements.
constexpr double tolerance = 0.03;

namespace {

struct TaskSamples {
  std::string key;
  std::vector<Sample> seen, heldOut;
};

} // namespace

std::vector<Sample> samplesOf(const SearchTask &task, llvm::ArrayRef<KnownOutcome> outcomes) {
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
        FeatureExtractor((*space)->variant(*state).program, task.machine, task.threads).extract(state->nests);
    samples.push_back({task.key, std::move(features), known.outcome.costSeconds.value_or(0)});
  }
  return samples;
}

static Ordering orderingOf(const CostModel &model, const std::vector<Sample> &samples) {
  return {pairwiseAccuracy(model, samples, tolerance), rankCorrelation(model, samples)};
}

static void add(std::vector<Sample> &all, const std::vector<Sample> &more) {
  all.insert(all.end(), more.begin(), more.end());
}

/// Cross-validation: every fifth task is held out from the first model, and so on.
static void tryNewTasks(llvm::ArrayRef<TaskSamples> tasks, ModelFactory create, std::vector<TaskTraining> &reports) {
  if (tasks.size() < 2)
    return;
  size_t parts = std::min(taskParts, tasks.size());
  for (size_t part = 0; part < parts; ++part) {
    std::vector<Sample> others;
    for (size_t number = 0; number < tasks.size(); ++number)
      if (number % parts != part)
        add(others, tasks[number].seen);
    std::shared_ptr<CostModel> model = create();
    model->update(others);
    for (size_t number = part; number < tasks.size(); number += parts)
      reports[number].newTask = orderingOf(*model, tasks[number].heldOut);
  }
}

static TaskTraining meanOf(llvm::ArrayRef<TaskTraining> reports) {
  TaskTraining all;
  auto addTo = [](Ordering &sum, const Ordering &each, double weight) {
    sum.accuracy += weight * each.accuracy;
    sum.correlation += weight * each.correlation;
  };
  size_t comparable = 0;
  for (const TaskTraining &report : reports) {
    all.samples += report.samples;
    all.heldOut += report.heldOut;
    comparable += report.heldOut > 1 ? report.heldOut : 0;
  }
  for (const TaskTraining &report : reports) {
    double weight = report.heldOut > 1 ? double(report.heldOut) / double(comparable) : 0;
    addTo(all.trained, report.trained, weight);
    addTo(all.analytic, report.analytic, weight);
    if (report.newTask)
      addTo(all.newTask ? *all.newTask : all.newTask.emplace(), *report.newTask, weight);
  }
  return all;
}

TrainingReport trainModel(llvm::ArrayRef<SearchTask> tasks, llvm::ArrayRef<KnownOutcome> outcomes, CostModel &model,
                          uint64_t seed, ModelFactory create) {
  TrainingReport report;
  std::vector<TaskSamples> groups;
  std::vector<Sample> seen, heldOut;
  Random random(seed);
  for (const SearchTask &task : tasks) {
    TaskSamples group{task.key, {}, {}};
    for (Sample &sample : samplesOf(task, outcomes))
      (random.below(heldOutEvery) == 0 ? group.heldOut : group.seen).push_back(std::move(sample));
    if (group.seen.empty() && group.heldOut.empty())
      continue;
    add(seen, group.seen);
    add(heldOut, group.heldOut);
    groups.push_back(std::move(group));
  }
  model.update(seen);
  std::shared_ptr<CostModel> analytic = createCostModel("analytic", seed);
  for (const TaskSamples &group : groups)
    report.tasks.push_back({group.key, group.seen.size() + group.heldOut.size(), group.heldOut.size(),
                            orderingOf(model, group.heldOut), orderingOf(*analytic, group.heldOut), std::nullopt});
  auto createNew = [seed] { return createCostModel(seed); };
  tryNewTasks(groups, create ? create : ModelFactory(createNew), report.tasks);
  report.all = meanOf(report.tasks);
  report.ignored = outcomes.size() - report.all.samples;
  model.update(heldOut);
  return report;
}

} // namespace cameo::autotune
