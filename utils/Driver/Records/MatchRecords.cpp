#include "utils/Driver/Records/MatchRecords.h"

#include "passes/Schedule/Steps/ScheduleSteps.h"
#include "utils/Driver/Tune/CollectTasks.h"

#include "llvm/ADT/StringSet.h"

using namespace cameo;
using namespace cameo::autotune;

llvm::LogicalResult cameo::importModels(const CompileOptions &compile, llvm::ArrayRef<std::string> models,
                                        ModelTasks &all) {
  llvm::StringSet<> seen;
  for (const std::string &model : models) {
    CompileOptions options = compile;
    options.model = model;
    PhaseRunner &phases = all.models.emplace_back(options);
    llvm::FailureOr<std::vector<SessionTask>> tasks = collectTasks(phases, options, {});
    if (llvm::failed(tasks))
      return llvm::failure();
    for (SessionTask &each : *tasks)
      if (seen.insert(each.task.key).second)
        all.tasks.push_back(std::move(each.task));
  }
  return llvm::success();
}

std::vector<KnownOutcome> cameo::outcomesOf(const ModelTasks &all, llvm::ArrayRef<TuningRecord> records) {
  KernelProcessor processor = kernelProcessor(all.target());
  llvm::StringMap<const SearchTask *> tasks;
  for (const SearchTask &task : all.tasks)
    tasks[task.key] = &task;
  std::vector<KnownOutcome> outcomes;
  for (const TuningRecord &record : records) {
    const SearchTask *task = tasks.lookup(record.task);
    // Costs do not compare if they were measured with release options, on a disturbed machine, for some of the runs
    // only, or with instructions of another target, which has another emitter.
    if (!task || record.isRelease || record.isDisturbed || !record.ranges.empty() ||
        record.triple != processor.triple || record.extensions != processor.extensions ||
        record.threads != task->threads || !foreignLoops(record, {schedule::stepsVersion, task->nests.all}).empty())
      continue;
    if (schedule::StepsAttr steps = schedule::parseSteps(record.schedule, task->def->getContext()))
      outcomes.push_back({record.task, {steps, record.isValid() ? std::optional(record.cost()) : std::nullopt}});
  }
  return outcomes;
}
