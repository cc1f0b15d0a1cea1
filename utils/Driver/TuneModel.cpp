#include "utils/Driver/TuneModel.h"

#include "autotune/CostModel/CostModel.h"
#include "autotune/Measure/BundleTransport.h"
#include "autotune/Measure/FarmTransport.h"
#include "autotune/Measure/MeasureCandidates.h"
#include "autotune/Measure/WorkerTransport.h"
#include "autotune/Records/BestRecord.h"
#include "passes/Schedule/ConstantArguments.h"
#include "passes/Schedule/Steps/ScheduleSteps.h"
#include "utils/Driver/CollectTasks.h"
#include "utils/Driver/DiagnosticSink.h"
#include "utils/Driver/FitBudgets.h"
#include "utils/Driver/FitRecords.h"
#include "utils/Driver/LinkModel.h"
#include "utils/Driver/MapRecords.h"
#include "utils/Driver/PhaseRunner.h"
#include "utils/Driver/Register.h"
#include "utils/Driver/TrainCostModel.h"
#include "utils/Plugin/Plugin.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/TargetParser/Triple.h"

#include <cmath>
#include <limits>
#include <unistd.h>

using namespace cameo;
using namespace cameo::autotune;

/// In the folder of this program.
static std::string besideProgram(llvm::StringRef name) {
  llvm::SmallString<256> path(llvm::sys::fs::getMainExecutable(nullptr, reinterpret_cast<void *>(&findWorker)));
  llvm::sys::path::remove_filename(path);
  llvm::sys::path::append(path, name);
  return std::string(path);
}

std::string cameo::findWorker() {
  std::optional<std::string> worker = llvm::sys::Process::GetEnv("CAMEO_WORKER");
  return worker ? *worker : besideProgram("cameo-worker");
}

llvm::Expected<std::string> cameo::findFarmProgram() {
  std::optional<std::string> named = llvm::sys::Process::GetEnv("CAMEO_FARM");
  std::string program = named ? *named : besideProgram("cameo-farm");
  if (!llvm::sys::fs::can_execute(program))
    return llvm::createStringError("cannot execute " + program + ", which speaks with the farm's server: it is in the package cameo-farm, and a build makes it where libnats-dev and libssl-dev are");
  return program;
}

llvm::Expected<std::string> cameo::findBundleWorker(const TargetInfo &target) {
  if (std::optional<std::string> worker = llvm::sys::Process::GetEnv("CAMEO_WORKER"))
    return *worker;
  llvm::SmallString<256> path(llvm::sys::fs::getMainExecutable(nullptr, reinterpret_cast<void *>(&findWorker)));
  llvm::sys::path::remove_filename(path);
  std::string triple = (llvm::Triple(target.triple).isAArch64() ? "aarch64" : "x86_64") + std::string("-linux-gnu");
  llvm::sys::path::append(path, "..", "lib", triple, "cameo-worker");
  llvm::sys::path::remove_dots(path, /*remove_dot_dot=*/true);
  if (!llvm::sys::fs::exists(path))
    return llvm::createStringError("no " + path + ", which bundles begin with: this installation has none for " + triple + "; CAMEO_WORKER names another one");
  return std::string(path);
}

namespace {

/// What tuning holds from the model to the last measurement.
class Tuning {
public:
  explicit Tuning(const TuneOptions &options) : options(options), phases(options.compile) {}

  llvm::LogicalResult prepare();
  llvm::LogicalResult run(TuningSession::Observer observer, std::function<bool()> isInterrupted);
  llvm::LogicalResult migrate(std::vector<TuningRecord> &records, llvm::raw_ostream &log);
  llvm::LogicalResult printStage(SearchStage stage, unsigned count, llvm::raw_ostream &os);

private:
  llvm::LogicalResult limitTasks();
  llvm::LogicalResult createPolicies();
  llvm::Expected<std::unique_ptr<Transport>> findMachine(MeasurementPolicy &policy, MachineFacts &machine);
  llvm::Expected<std::unique_ptr<Transport>> startCommand(MachineFacts &machine);
  llvm::Expected<std::unique_ptr<Transport>> openBundles(MachineFacts &machine);
  llvm::Expected<std::unique_ptr<Transport>> joinFarm(MeasurementPolicy &policy, MachineFacts &machine);
  llvm::LogicalResult waitForBundle();
  llvm::Expected<MeasureFunctions> measureOnMachine();
  llvm::Expected<MeasureFunctions> replayLog();
  std::vector<TuningRecord> takeFitting(std::vector<TuningRecord> records, llvm::StringRef path = "") const;
  uint64_t rotationBytes();
  std::vector<schedule::StepsAttr> seedsOf(const SearchTask &task) const;

  TuneOptions options;
  PhaseRunner phases;
  std::vector<SessionTask> tasks;
  std::vector<TuningRecord> seeds; // that the file of records holds
  mlir::DialectRegistry registry;
  BuildOptions build;
  std::unique_ptr<CandidateMeasurer> measurer;
  BundleTransport *bundles = nullptr; // of the measurer
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

llvm::LogicalResult Tuning::createPolicies() {
  std::vector<SessionTask> open;
  for (auto [number, each] : llvm::enumerate(tasks)) {
    SearchOptions search = options.search;
    search.seed += number;
    search.seeds = seedsOf(each.task);
    std::string name = each.task.def.getSymName().str();
    llvm::Expected<std::unique_ptr<SearchPolicy>> policy = createSearchPolicy(each.task, search);
    if (!policy) {
      report(Severity::Remark, name + " is not tuned: " + llvm::toString(policy.takeError()));
      continue;
    }
    each.policy = std::move(*policy);
    open.push_back(std::move(each));
  }
  tasks = std::move(open);
  return tasks.empty() ? reportFailure(options.compile.model + ": no task has schedules to search") : llvm::success();
}

/// Candidates with which the model would exceed a budget are not considered.
llvm::LogicalResult Tuning::limitTasks() {
  const CompileOptions &compile = options.compile;
  if (compile.budgets.isEmpty())
    return llvm::success();
  if (llvm::StringRef(compile.model).ends_with(".mlir"))
    return reportFailure(compile.model + ": --max-arena and --max-weights: expected a model, got tasks alone");
  std::optional<llvm::StringMap<schedule::TaskLimits>> limits = findTaskLimits(compile);
  if (!limits)
    return llvm::failure();
  for (SessionTask &each : tasks)
    each.task.limits = limits->lookup(each.task.def.getSymName());
  return llvm::success();
}

llvm::LogicalResult Tuning::prepare() {
  llvm::FailureOr<std::vector<SessionTask>> collected = collectTasks(phases, options.compile, options.tasks);
  if (llvm::failed(collected))
    return llvm::failure();
  tasks = std::move(*collected);
  if (std::vector<std::string> open = openTasks(phases.module(), options.tasks); !open.empty())
    report(Severity::Warning, options.compile.model + ": " + llvm::Twine(open.size()) + " of " + llvm::Twine(open.size() + tasks.size()) +
                                  " tasks are not tuned: " + explainOpenTasks(open));
  if (llvm::failed(limitTasks()))
    return llvm::failure();
  for (const Plugin *plugin : options.compile.plugins)
    llvm::append_range(options.search.rules, plugin->getSketchRules());
  // What one task teaches helps the others.
  options.search.model = createCostModel(options.search.seed);
  return loadCostModel(options.costModel, phases.target(), *options.search.model);
}

// ---- measuring ----

/// Bytes of a value; none of one whose size is not known.
static double bytesOf(mlir::Type type) {
  auto tensor = mlir::dyn_cast<mlir::RankedTensorType>(type);
  return tensor && tensor.hasStaticShape() ? static_cast<double>(tensor.getNumElements() * task::getElementBytes(tensor.getElementType())) : 0;
}

/// The bytes that the model touches between two runs of a task: the weights of all, and the largest activations; 0: there is no other task.
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

/// So many bytes that are read again and again come from memory: a cache whose lines do not leave it in turn keeps some of what is twice its size.
/// A virtual machine may report a cache that it does not have: not more than `largest`.
static uint64_t bytesBeyondCaches(uint64_t l2Bytes, uint64_t l3Bytes, uint64_t largest) { return std::min(3 * std::max(l2Bytes, l3Bytes), largest); }

/// A worker that a command starts.
llvm::Expected<std::unique_ptr<Transport>> Tuning::startCommand(MachineFacts &machine) {
  auto worker = std::make_unique<WorkerTransport>(WorkerCommand::shell(options.command));
  llvm::Expected<MachineFacts> facts = worker->describe(packageTarget(phases.target()));
  if (!facts)
    return llvm::createStringError("--measure=command: " + llvm::toString(facts.takeError()));
  machine = std::move(*facts);
  report(Severity::Remark, "candidates run on " + machine.text);
  return worker;
}

llvm::Expected<std::unique_ptr<Transport>> Tuning::openBundles(MachineFacts &machine) {
  llvm::Expected<std::string> worker = findBundleWorker(phases.target());
  if (!worker)
    return llvm::createStringError("--measure=bundle: " + llvm::toString(worker.takeError()));
  llvm::Expected<std::unique_ptr<BundleTransport>> opened = BundleTransport::open(options.bundles, *worker);
  if (!opened)
    return llvm::createStringError("--measure=bundle: " + llvm::toString(opened.takeError()));
  bundles = opened->get();
  machine = bundles->getMachine();
  if (!machine.text.empty())
    report(Severity::Remark, "candidates ran on " + machine.text);
  return std::move(*opened);
}

llvm::Expected<std::unique_ptr<Transport>> Tuning::joinFarm(MeasurementPolicy &policy, MachineFacts &machine) {
  // Packages wait for machines that others use, and for a server that is started again; none is lost there.
  policy.transportSeconds = 3600;
  auto farm = std::make_unique<FarmTransport>(options.farm, options.farmParallel);
  llvm::Expected<MachineFacts> facts = farm->describe(packageTarget(phases.target()));
  if (!facts)
    return llvm::createStringError("--measure=farm: " + llvm::toString(facts.takeError()));
  machine = std::move(*facts);
  report(Severity::Remark, "candidates run on " + machine.text);
  return farm;
}

/// The way to the machine and what that is, as far as it is known; on this machine, builders leave candidates the CPUs that they need.
llvm::Expected<std::unique_ptr<Transport>> Tuning::findMachine(MeasurementPolicy &policy, MachineFacts &machine) {
  if (!options.command.empty() || !options.bundles.empty() || !options.farm.empty()) {
    policy.cpus = std::numeric_limits<unsigned>::max(); // none of this machine's
    if (!options.farm.empty())
      return joinFarm(policy, machine);
    return options.bundles.empty() ? startCommand(machine) : openBundles(machine);
  }
  if (!phases.target().isHost)
    return llvm::createStringError("candidates run on this machine: leave out --target and --cpu, or run them on a machine of the target by --measure=command:COMMAND, bundle:DIR or farm:URL");
  std::string worker = options.worker.empty() ? findWorker() : options.worker;
  if (!llvm::sys::fs::can_execute(worker))
    return llvm::createStringError("cannot execute " + worker + ", which runs candidates; CAMEO_WORKER names another one");
  machine.l3Bytes = static_cast<uint64_t>(std::max(sysconf(_SC_LEVEL3_CACHE_SIZE), 0L));
  return std::make_unique<WorkerTransport>(WorkerCommand(worker));
}

llvm::Expected<MeasureFunctions> Tuning::measureOnMachine() {
  MeasurementPolicy policy = options.policy;
  MachineFacts machine;
  llvm::Expected<std::unique_ptr<Transport>> transport = findMachine(policy, machine);
  if (!transport)
    return transport.takeError();
  // Schedules may have steps of plugins.
  registerDialects(registry, options.compile.plugins);
  build = {phases.target(), linkCandidate, &registry};
  if (options.evictCaches)
    policy.rotationBytes = rotationBytes();
  policy.largestRotationBytes = bytesBeyondCaches(static_cast<uint64_t>(phases.target().l2Bytes), machine.l3Bytes, policy.largestRotationBytes);
  measurer = std::make_unique<CandidateMeasurer>(build, std::move(*transport), policy);
  MeasureFunctions functions{[this](const SearchTask &task, llvm::ArrayRef<std::string> schedules, double bestSeconds) {
            return measurer->measure(task, schedules, bestSeconds);
          },
          [this](const SearchTask &task, llvm::StringRef schedule, llvm::StringRef defaultSchedule, size_t time) {
            return measurer->confirm(task, schedule, defaultSchedule, time);
          },
          [this](std::function<void()> work) { bundles ? work() : measurer->beside(std::move(work)); },
          [this](const SearchTask &task, llvm::ArrayRef<std::string> schedules, double bestSeconds) { measurer->prepare(task, schedules, bestSeconds); },
          /*holds=*/nullptr,
          [this](const SearchTask &task, llvm::StringRef schedule) { measurer->setDefault(task, schedule); }};
  functions.confirmationsAtOnce = measurer->confirmationsAtOnce();
  if (functions.confirmationsAtOnce > 1)
    functions.confirmAhead = [this](const SearchTask &task, llvm::StringRef schedule, llvm::StringRef defaultSchedule, size_t time) {
      measurer->confirmAhead(task, schedule, defaultSchedule, time);
    };
  return functions;
}

/// The records without those of other loops, of which a warning says how many the file at `path` has, if it is named.
std::vector<TuningRecord> Tuning::takeFitting(std::vector<TuningRecord> records, llvm::StringRef path) const {
  llvm::StringMap<std::string> nests;
  for (const SessionTask &each : tasks)
    nests[each.task.key] = each.task.nests.all;
  if (ForeignRecords foreign = takeForeign(records, nests); foreign.count > 0 && !path.empty())
    report(Severity::Warning, path + ": left out " + foreign.text() + "; see 'cameo records migrate'");
  return records;
}

/// What the log does not hold is not measured. What was confirmed several times is so again; what is asked for more often than that costs what it did the last time.
llvm::Expected<MeasureFunctions> Tuning::replayLog() {
  llvm::Expected<RecordFile> log = readRecords(options.replay);
  if (!log)
    return log.takeError();
  auto records = std::make_shared<std::vector<TuningRecord>>(takeFitting(std::move(log->records), options.replay));
  auto find = [records](const SearchTask &task, llvm::StringRef schedule, bool isRelease, size_t time) -> const TuningRecord * {
    const TuningRecord *found = nullptr;
    for (const TuningRecord &record : *records) {
      if (record.task != task.key || record.threads != task.threads || record.isRelease != isRelease || record.isInModel || record.isOfModel ||
          record.schedule != schedule)
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
    if (options.resume)
      known = takeFitting(std::move(file->records), options.records);
    seeds = std::move(file->seeds);
  }
  if (llvm::failed(createPolicies()))
    return llvm::failure();
  llvm::Expected<MeasureFunctions> functions = options.replay.empty() ? measureOnMachine() : replayLog();
  if (!functions)
    return reportFailure(functions.takeError());
  // Behind all that may fail before anything is measured: opening it makes the file.
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
  report(Severity::Remark, (bundles->isNew() ? "wrote " : "waiting for the results of ") + next + ": run it on a machine of the target, and this command again with --resume when its output is in " + next +
                               ".jsonl");
  return llvm::success();
}

// ---- migration ----

/// The records that may be tried for a task of this name and size, the most promising first.
static std::vector<TuningRecord> similarRecords(llvm::ArrayRef<TuningRecord> bests, llvm::StringRef name, double flops) {
  std::vector<TuningRecord> similar;
  for (const TuningRecord &record : bests)
    if (taskKind(record.name) == taskKind(name) && record.flops > 0)
      similar.push_back(record);
  llvm::sort(similar, [flops](const TuningRecord &a, const TuningRecord &b) {
    auto distance = [flops](const TuningRecord &record) { return std::abs(std::log(record.flops / std::max(flops, 1.0))); };
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
  RecordTarget wanted{target.triple, target.cpu, vectorExtensions(target), static_cast<unsigned>(options.compile.threads)};
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
      TuningRecord record = llvm::cantFail(functions->confirm(each.task, old.schedule, /*defaultSchedule=*/"", /*time=*/0), "nobody defers what is migrated");
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
    SearchOptions search = options.search;
    search.seed += number;
    if (llvm::Error error = autotune::printStage(each.task, search, stage, count, os))
      return reportFailure(std::move(error));
  }
  return llvm::success();
}

llvm::LogicalResult cameo::tuneModel(const TuneOptions &options, TuningSession::Observer observer,
                                     std::function<bool()> isInterrupted) {
  Tuning tuning(options);
  if (llvm::failed(tuning.prepare()))
    return llvm::failure();
  return tuning.run(std::move(observer), std::move(isInterrupted));
}

llvm::LogicalResult cameo::migrateRecords(const TuneOptions &options, std::vector<TuningRecord> &records, llvm::raw_ostream &log) {
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
