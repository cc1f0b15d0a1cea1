// How a tuning session measures candidates: on a machine, or from a log.
#include "utils/Driver/Tune/Tuning.h"

#include "passes/Codegen/Gpu/CachePtxas.h"
#include "passes/Schedule/ConstantArguments.h"
#include "utils/Driver/Diagnostics/DiagnosticSink.h"
#include "utils/Driver/FindMachine.h"
#include "utils/Driver/Link/LinkModel.h"
#include "utils/Driver/Register.h"

using namespace cameo;
using namespace cameo::autotune;

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
