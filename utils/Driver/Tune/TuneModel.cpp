#include "utils/Driver/Tune/TuneModel.h"

#include "autotune/CostModel/CostModel.h"
#include "autotune/Measure/MeasureCandidates.h"
#include "autotune/Records/BestRecord.h"
#include "passes/Codegen/Gpu/CachePtxas.h"
#include "passes/Schedule/ConstantArguments.h"
#include "passes/Schedule/Steps/ScheduleSteps.h"
#include "utils/Driver/Diagnostics/DiagnosticSink.h"
#include "utils/Driver/FindMachine.h"
#include "utils/Driver/Link/LinkModel.h"
#include "utils/Driver/PhaseRunner.h"
#include "utils/Driver/Records/FitRecords.h"
#include "utils/Driver/Register.h"
#include "utils/Driver/Tune/CollectTasks.h"
#include "utils/Driver/Tune/LimitTasks.h"
#include "utils/Driver/Tune/MapRecords.h"
#include "utils/Driver/Tune/TrainCostModel.h"
#include "utils/Driver/Tune/TuneBuckets.h"
#include "utils/Plugin/Plugin.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Support/FileSystem.h"

#include <cmath>

using namespace cameo;
using namespace cameo::autotune;

namespace {

/// The state of tuning, from reading the model to the last measurement.
class Tuning {
public:
  explicit Tuning(const TuneOptions &options) : options(options), phases(options.compile) {
    if (options.bucket)
      ranges = {options.bucket->range};
  }

  llvm::LogicalResult prepare();
  llvm::LogicalResult run(TuningSession::Observer observer, std::function<bool()> isInterrupted);
  llvm::LogicalResult migrate(std::vector<TuningRecord> &records, llvm::raw_ostream &log);
  llvm::LogicalResult printStage(SearchStage stage, unsigned count, llvm::raw_ostream &os);

private:
  llvm::LogicalResult limitTasks();
  llvm::LogicalResult createPolicies();
  llvm::LogicalResult waitForBundle();
  llvm::Expected<MeasureFunctions> measureOnMachine();
  llvm::Expected<MeasureFunctions> replayLog();
  std::vector<TuningRecord> takeFitting(std::vector<TuningRecord> records, llvm::StringRef path = "") const;
  llvm::Error leaveOutOthers(std::vector<TuningRecord> &known);
  void noteMachine(const TuningRecord &record);
  uint64_t rotationBytes();
  std::vector<schedule::StepsAttr> seedsOf(const SearchTask &task) const;
  SearchOptions searchOptionsOf(const SearchTask &searched, size_t number) const;

  TuneOptions options;
  PhaseRunner phases;
  std::vector<SessionTask> tasks;
  std::vector<TuningRecord> seeds;        // from the file of records
  std::vector<SizeRange> ranges;          // sizes that records are for; empty: all sizes
  llvm::StringMap<std::string> baselines; // by task key: the schedule for all sizes, if a range of them is tuned
  mlir::DialectRegistry registry;
  BuildOptions build;
  std::unique_ptr<CandidateMeasurer> measurer;
  BundleTransport *bundles = nullptr; // the transport of the measurer, if it writes bundles
  WorkerTransport *worker = nullptr;  // the transport of the measurer, if candidates run on this machine
  std::string machine;                // identity of the machine that measures, if it is known
  bool isMixed = false;               // whether another machine has measured, too
};

} // namespace

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
  if (!options.compile.gpu.empty() && !options.sizes.empty())
    return reportFailure("--tune-dim: expected no --gpu: sizes are measured together on CPUs only");
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

// ---- measuring ----

/// Returns the size of a value in bytes; 0 if a size is dynamic.
static double bytesOf(mlir::Type type) {
  auto tensor = mlir::dyn_cast<mlir::RankedTensorType>(type);
  return tensor && tensor.hasStaticShape()
             ? static_cast<double>(tensor.getNumElements() * task::getElementBytes(tensor.getElementType()))
             : 0;
}

/// Returns the number of bytes that the model accesses between two runs of a task: all weights, and the largest
/// activations. Returns 0 if there is no other task.
uint64_t Tuning::rotationBytes() {
  mlir::ModuleOp module = phases.module();
  schedule::ConstantArguments constants(module);
  double weights = 0, activations = 0;
  unsigned count = 0;
  module.walk([&](task::CallOp call) {
    double own = 0;
    auto def = module.lookupSymbol<task::DefOp>(call.getCallee());
    for (auto [type, isConstant] : llvm::zip_equal(def.getArgumentTypes(), constants.of(def)))
      (isConstant ? weights : own) += bytesOf(type);
    for (mlir::Type type : def.getResultTypes())
      own += bytesOf(type);
    activations = std::max(activations, own);
    ++count;
  });
  return count > 1 ? static_cast<uint64_t>(weights + activations) : 0;
}

/// Returns a number of bytes that come from memory if they are read repeatedly. Caches that do not replace the least
/// recently used line keep a part of twice their size. The number is at most `largest`, because a virtual machine may
/// report a cache that it does not have.
static uint64_t bytesBeyondCaches(uint64_t l2Bytes, uint64_t l3Bytes, uint64_t largest) {
  return std::min(3 * std::max(l2Bytes, l3Bytes), largest);
}

llvm::Expected<MeasureFunctions> Tuning::measureOnMachine() {
  MeasurementPolicy policy = options.policy;
  llvm::Expected<FoundMachine> found = findMachine(options, phases.target(), policy);
  if (!found)
    return found.takeError();
  bundles = found->bundles;
  worker = found->worker;
  machine = found->facts.identity;
  // Schedules may have steps of plugins.
  registerDialects(registry, options.compile.plugins);
  build = {phases.target(),
           linkCandidate,
           &registry,
           gpuCodeOf(options.compile.gpuCodeName),
           options.compile.ptxas,
           phases.target().gpu ? findPtxasCache() : ""};
  if (options.evictCaches)
    policy.rotationBytes = rotationBytes();
  policy.largestRotationBytes = bytesBeyondCaches(static_cast<uint64_t>(phases.target().l2Bytes), found->facts.l3Bytes,
                                                  policy.largestRotationBytes);
  if (const GpuMachine *gpu = phases.target().gpu) {
    policy.largestRotationBytes =
        bytesBeyondCaches(static_cast<uint64_t>(gpu->l2Bytes), 0, policy.largestRotationBytes);
    policy.memoryBytes = 0; // a driver maps far more than it uses
  }
  measurer = std::make_unique<CandidateMeasurer>(build, std::move(found->transport), policy);
  MeasureFunctions functions{
      [this](const SearchTask &task, llvm::ArrayRef<std::string> schedules, double bestSeconds) {
        llvm::Expected<std::vector<TuningRecord>> records = measurer->measure(task, schedules, bestSeconds);
        if (records)
          llvm::for_each(*records, [this](TuningRecord &record) {
            noteMachine(record);
            record.ranges = ranges;
          });
        return records;
      },
      [this](const SearchTask &task, llvm::StringRef schedule, llvm::StringRef defaultSchedule, size_t time) {
        llvm::Expected<TuningRecord> record = measurer->confirm(task, schedule, defaultSchedule, time);
        if (record)
          record->ranges = ranges;
        return record;
      },
      [this](std::function<void()> work) { bundles ? work() : measurer->beside(std::move(work)); },
      [this](const SearchTask &task, llvm::ArrayRef<std::string> schedules, double bestSeconds) {
        measurer->prepare(task, schedules, bestSeconds);
      },
      /*holds=*/nullptr,
      [this](const SearchTask &task, llvm::StringRef schedule) { measurer->setDefault(task, schedule); }};
  functions.confirmationsAtOnce = measurer->confirmationsAtOnce();
  if (functions.confirmationsAtOnce > 1)
    functions.confirmAhead = [this](const SearchTask &task, llvm::StringRef schedule, llvm::StringRef defaultSchedule,
                                    size_t time) { measurer->confirmAhead(task, schedule, defaultSchedule, time); };
  return functions;
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

/// Warns once if different machines with the same key measure, because their costs do not compare.
void Tuning::noteMachine(const TuningRecord &record) {
  if (machine.empty())
    machine = record.machine;
  if (isMixed || record.machine.empty() || record.machine == machine)
    return;
  isMixed = true;
  report(Severity::Warning, "the records mix costs of different machines: " + machine + "; and " + record.machine +
                                (record.device.empty() ? "" : ", which is device " + record.device));
}

/// Removes records of other machines, unless they have the key of this session.
llvm::Error Tuning::leaveOutOthers(std::vector<TuningRecord> &known) {
  if (llvm::all_of(known, [](const TuningRecord &record) { return record.machine.empty(); }))
    return llvm::Error::success();
  if (machine.empty() && worker) {
    llvm::Expected<MachineFacts> facts = worker->describe(packageTarget(phases.target()));
    if (!facts)
      return facts.takeError();
    machine = facts->identity;
  }
  size_t before = known.size();
  llvm::erase_if(known, [&](const TuningRecord &record) {
    bool hasKey = !record.key.empty() && record.key == options.policy.key;
    return !machine.empty() && !record.machine.empty() && record.machine != machine && !hasKey;
  });
  if (known.size() < before)
    report(Severity::Warning, options.records + ": left out " + llvm::Twine(before - known.size()) +
                                  (before - known.size() == 1 ? " record" : " records") + " of other machines than " +
                                  machine);
  return llvm::Error::success();
}

/// Returns functions that take costs from a log. Schedules that the log lacks are not measured. Repeated confirmations
/// return the repeated records of the log, and then the last one again.
llvm::Expected<MeasureFunctions> Tuning::replayLog() {
  llvm::Expected<RecordFile> log = readRecords(options.replay);
  if (!log)
    return log.takeError();
  auto records = std::make_shared<std::vector<TuningRecord>>(takeFitting(std::move(log->records), options.replay));
  auto find = [records](const SearchTask &task, llvm::StringRef schedule, bool isRelease,
                        size_t time) -> const TuningRecord * {
    const TuningRecord *found = nullptr;
    for (const TuningRecord &record : *records) {
      if (record.task != task.key || record.threads != task.threads || record.isRelease != isRelease ||
          record.isInModel || record.isOfModel || record.schedule != schedule)
        continue;
      found = &record;
      if (time-- == 0)
        break;
    }
    return found;
  };
  return MeasureFunctions{[find](const SearchTask &task, llvm::ArrayRef<std::string> schedules, double) {
                            std::vector<TuningRecord> measured;
                            for (const std::string &schedule : schedules)
                              measured.push_back(*find(task, schedule, /*isRelease=*/false, /*time=*/0));
                            return measured;
                          },
                          [find](const SearchTask &task, llvm::StringRef schedule, llvm::StringRef, size_t time) {
                            return *find(task, schedule, /*isRelease=*/true, time);
                          },
                          /*beside=*/nullptr,
                          /*prepare=*/nullptr,
                          [find](const SearchTask &task, llvm::StringRef schedule, bool isRelease) {
                            return find(task, schedule, isRelease, /*time=*/0) != nullptr;
                          }};
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

// ---- migration ----

/// Returns the records that may be tried for a task of this name and size, the most promising first.
static std::vector<TuningRecord> similarRecords(llvm::ArrayRef<TuningRecord> bests, llvm::StringRef name,
                                                double flops) {
  std::vector<TuningRecord> similar;
  for (const TuningRecord &record : bests)
    if (taskKind(record.name) == taskKind(name) && record.flops > 0)
      similar.push_back(record);
  llvm::sort(similar, [flops](const TuningRecord &a, const TuningRecord &b) {
    auto distance = [flops](const TuningRecord &record) {
      return std::abs(std::log(record.flops / std::max(flops, 1.0)));
    };
    return std::tuple(distance(a), a.task) < std::tuple(distance(b), b.task);
  });
  constexpr size_t tried = 3;
  if (similar.size() > tried)
    similar.erase(similar.begin() + tried, similar.end());
  return similar;
}

llvm::LogicalResult Tuning::migrate(std::vector<TuningRecord> &records, llvm::raw_ostream &log) {
  mapRecords(tasks, records, log);
  std::vector<TuningRecord> fitting = takeFitting(records), migrated;
  const TargetInfo &target = phases.target();
  RecordTarget wanted = recordTarget(target, static_cast<unsigned>(options.compile.threads));
  BestRecords bests(fitting);
  std::vector<TuningRecord> distilled = distill(records);
  std::optional<MeasureFunctions> functions;
  for (const SessionTask &each : tasks) {
    if (bests.find(each.task.key, wanted).record)
      continue;
    task::DefOp def = each.task.def;
    auto flops = def->getAttrOfType<mlir::FloatAttr>("flops");
    std::string outcome = "no record of a similar task";
    for (const TuningRecord &old : similarRecords(distilled, def.getSymName(), flops ? flops.getValueAsDouble() : 0)) {
      if (!functions) {
        llvm::Expected<MeasureFunctions> ofMachine = measureOnMachine();
        if (!ofMachine)
          return reportFailure(ofMachine.takeError());
        functions = std::move(*ofMachine);
      }
      TuningRecord record =
          llvm::cantFail(functions->confirm(each.task, old.schedule, /*defaultSchedule=*/"", /*time=*/0),
                         "nobody defers what is migrated");
      if (record.isValid()) {
        outcome = "as " + old.name + " of key " + old.task;
        migrated.push_back(std::move(record));
        break;
      }
      outcome = "the schedule of " + old.name + " fails: " + record.error.message;
    }
    log << def.getSymName() << "  key " << each.task.key << ": " << outcome << '\n';
  }
  llvm::append_range(records, migrated);
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
