#include "utils/Driver/Tune/TuneModel.h"

#include "autotune/CostModel/CostModel.h"
#include "autotune/Records/BestRecord.h"
#include "passes/Schedule/Steps/ScheduleSteps.h"
#include "utils/Driver/Diagnostics/DiagnosticSink.h"
#include "utils/Driver/Records/FitRecords.h"
#include "utils/Driver/Tune/CollectTasks.h"
#include "utils/Driver/Tune/LimitTasks.h"
#include "utils/Driver/Tune/TrainCostModel.h"
#include "utils/Driver/Tune/TuneBuckets.h"
#include "utils/Driver/Tune/Tuning.h"
#include "utils/Plugin/Plugin.h"

#include "llvm/Support/FileSystem.h"

using namespace cameo;
using namespace cameo::autotune;

std::vector<schedule::StepsAttr> Tuning::seedsOf(const SearchTask &task) const {
  std::vector<schedule::StepsAttr> found;
  for (const TuningRecord &seed : seeds)
    if (seed.task == task.key && seed.threads == task.threads)
      if (schedule::StepsAttr steps = schedule::parseSteps(seed.schedule, task.def->getContext()))
        found.push_back(steps);
  return found;
}

SearchOptions Tuning::searchOptionsOf(const SearchTask &searched, size_t number) const {
  SearchOptions search = options.search;
  search.seed += number;
  search.seeds = seedsOf(searched);
  if (auto baseline = baselines.find(searched.key); baseline != baselines.end())
    search.baseline = schedule::parseSteps(baseline->second, searched.def->getContext());
  search.knobs = findKnobDefinitions(options.knobs, task::DefOp(searched.def).getSymName());
  return search;
}

llvm::LogicalResult Tuning::createPolicies() {
  std::vector<SessionTask> open;
  for (auto [number, each] : llvm::enumerate(tasks)) {
    SearchOptions search = searchOptionsOf(each.task, number);
    std::string name = each.task.def.getSymName().str();
    llvm::Expected<std::unique_ptr<SearchPolicy>> policy = createSearchPolicy(each.task, search);
    if (!policy && search.knobs)
      return reportFailure(name + ": " + llvm::toString(policy.takeError()));
    if (!policy) {
      report(Severity::Remark, name + " is not tuned: " + llvm::toString(policy.takeError()));
      continue;
    }
    each.policy = std::move(*policy);
    open.push_back(std::move(each));
  }
  tasks = std::move(open);
  return tasks.empty() && !options.bucket ? reportFailure(options.compile.model + ": no task has schedules to search")
                                          : llvm::success();
}

/// Excludes candidates with which the model would exceed a budget.
llvm::LogicalResult Tuning::limitTasks() {
  const CompileOptions &compile = options.compile;
  if (compile.budgets.isEmpty())
    return llvm::success();
  if (llvm::StringRef(compile.model).ends_with(".mlir"))
    return reportFailure(compile.model +
                         ": --max-arena, --max-text and --max-weights: expected a model, got only tasks");
  std::optional<llvm::StringMap<schedule::TaskLimits>> limits = findTaskLimits(compile);
  if (!limits)
    return llvm::failure();
  for (SessionTask &each : tasks)
    each.task.limits = limits->lookup(each.task.def.getSymName());
  return llvm::success();
}

llvm::LogicalResult Tuning::prepare() {
  // Check the options before any file is read.
  if (!options.compile.gpu.empty() && llvm::StringRef(options.compile.gpu).contains(','))
    return reportFailure("--gpu: expected one, got '" + options.compile.gpu + "'");
  if (!options.compile.gpu.empty() && !options.compile.budgets.isEmpty())
    return reportFailure("--max-arena and --max-weights: expected no --gpu: no schedule of a GPU changes them");
  bool hasFile = !llvm::is_contained({"shipped", "none", "analytic", "random"}, options.costModel);
  if (!options.compile.gpu.empty() && hasFile)
    return reportFailure("--cost-model: expected none, analytic or random with --gpu, got '" + options.costModel +
                         "': cost models in files are trained for CPUs");
  llvm::FailureOr<std::vector<SessionTask>> collected =
      collectTasks(phases, options.compile, options.tasks, options.sizes);
  if (llvm::failed(collected))
    return llvm::failure();
  tasks = std::move(*collected);
  if (options.bucket)
    keepBucket(*options.bucket, tasks);
  else if (std::vector<std::string> open = openTasks(phases.module(), options.tasks, options.sizes); !open.empty())
    report(Severity::Warning, options.compile.model + ": " + llvm::Twine(open.size()) + " of " +
                                  llvm::Twine(open.size() + tasks.size()) +
                                  " tasks are not tuned: " + explainOpenTasks(open));
  if (llvm::failed(limitTasks()))
    return llvm::failure();
  for (const Plugin *plugin : options.compile.plugins)
    llvm::append_range(options.search.rules, plugin->getSketchRules());
  // All tasks share a cost model, so that measurements of one task help the others.
  if (options.costModel == "analytic" || options.costModel == "random") {
    options.search.model = createCostModel(options.costModel, options.search.seed);
    return llvm::success();
  }
  options.search.model = createCostModel(options.search.seed);
  return loadCostModel(phases.target().gpu ? "none" : options.costModel, phases.target(), *options.search.model);
}

/// Returns the records without those of other loops or other sizes. If `path` is not empty, warnings state how many of
/// these the file has.
std::vector<TuningRecord> Tuning::takeFitting(std::vector<TuningRecord> records, llvm::StringRef path) const {
  llvm::StringMap<std::string> nests, ofTasks;
  for (const SessionTask &each : tasks) {
    nests[each.task.key] = each.task.nests.all;
    ofTasks[each.task.key] = each.task.sizes;
  }
  if (ForeignRecords foreign = takeForeign(records, nests); foreign.count > 0 && !path.empty())
    report(Severity::Warning, path + ": left out " + foreign.text() + "; see 'cameo records migrate'");
  size_t before = records.size();
  llvm::erase_if(records, [&](const TuningRecord &record) {
    auto sizes = ofTasks.find(record.task);
    return sizes != ofTasks.end() && sizes->second != record.sizes;
  });
  llvm::erase_if(records, [&](const TuningRecord &record) { return record.ranges != ranges; });
  if (size_t left = before - records.size(); left > 0 && !path.empty())
    report(Severity::Warning, path + ": left out " + llvm::Twine(left) + (left == 1 ? " record" : " records") +
                                  " of other sizes than --tune-dim has");
  return records;
}

llvm::LogicalResult Tuning::run(TuningSession::Observer observer, std::function<bool()> isInterrupted) {
  std::vector<TuningRecord> known;
  if (llvm::sys::fs::exists(options.records)) {
    llvm::Expected<RecordFile> file = readRecords(options.records);
    if (!file)
      return reportFailure(file.takeError());
    if (options.bucket)
      baselines = bestSchedules(tasks, file->records,
                                recordTarget(phases.target(), static_cast<unsigned>(options.compile.threads)));
    if (options.resume)
      known = takeFitting(std::move(file->records), options.records);
    seeds = std::move(file->seeds);
  }
  if (llvm::failed(createPolicies()))
    return llvm::failure();
  if (tasks.empty())
    return llvm::success();
  llvm::Expected<MeasureFunctions> functions = options.replay.empty() ? measureOnMachine() : replayLog();
  if (!functions)
    return reportFailure(functions.takeError());
  if (llvm::Error error = leaveOutOthers(known))
    return reportFailure(std::move(error));
  // Opening creates the file, so this comes after everything that may fail before the first measurement.
  llvm::Expected<std::unique_ptr<RecordWriter>> writer = RecordWriter::open(options.records);
  if (!writer)
    return reportFailure(writer.takeError());
  SessionOptions budget = options.session;
  constexpr unsigned defaultTrials = 64;
  if (budget.trials == 0 && budget.seconds == 0)
    budget.trials = defaultTrials * static_cast<unsigned>(tasks.size());
  TuningSession session(std::move(tasks), budget, std::move(*functions), known, writer->get());
  llvm::Error error = session.run(std::move(observer), std::move(isInterrupted));
  if (bundles && error.isA<MeasurementPending>()) {
    llvm::consumeError(std::move(error));
    return waitForBundle();
  }
  return error ? reportFailure(std::move(error)) : llvm::success();
}

llvm::LogicalResult Tuning::waitForBundle() {
  if (llvm::Error error = measurer->submitDeferred())
    return reportFailure("--measure=bundle: " + llvm::toString(std::move(error)));
  llvm::StringRef next = bundles->nextBundle();
  report(Severity::Remark,
         (bundles->isNew() ? "wrote " : "waiting for the results of ") + next +
             ": run it on a machine of the target, and this command again with --resume when its output is in " + next +
             ".jsonl");
  return llvm::success();
}

llvm::LogicalResult Tuning::printStage(SearchStage stage, unsigned count, llvm::raw_ostream &os) {
  for (auto [number, each] : llvm::enumerate(tasks)) {
    os << task::DefOp(each.task.def).getSymName() << "  key " << each.task.key << '\n';
    SearchOptions search = searchOptionsOf(each.task, number);
    if (llvm::Error error = autotune::printStage(each.task, search, stage, count, os))
      return reportFailure(std::move(error));
  }
  return llvm::success();
}

llvm::LogicalResult cameo::resolveTuneSizes(TuneOptions &options) {
  PhaseRunner phases(options.compile);
  if (options.sizes.empty())
    return llvm::success();
  if (llvm::failed(collectTasks(phases, options.compile, options.tasks, options.sizes)))
    return llvm::failure();
  llvm::cantFail(resolveTunedDims(phases.module(), options.compile.sizes, options.sizes),
                 "the tasks were collected with them");
  return llvm::success();
}

llvm::LogicalResult cameo::tuneModel(const TuneOptions &options, TuningSession::Observer observer,
                                     std::function<bool()> isInterrupted) {
  Tuning tuning(options);
  if (llvm::failed(tuning.prepare()))
    return llvm::failure();
  return tuning.run(std::move(observer), std::move(isInterrupted));
}

llvm::LogicalResult cameo::migrateRecords(const TuneOptions &options, std::vector<TuningRecord> &records,
                                          llvm::raw_ostream &log) {
  Tuning tuning(options);
  if (llvm::failed(tuning.prepare()))
    return llvm::failure();
  return tuning.migrate(records, log);
}

llvm::LogicalResult cameo::printSearchStage(const TuneOptions &options, SearchStage stage, unsigned count,
                                            llvm::raw_ostream &os) {
  Tuning tuning(options);
  if (llvm::failed(tuning.prepare()))
    return llvm::failure();
  return tuning.printStage(stage, count, os);
}
