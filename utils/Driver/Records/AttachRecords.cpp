#include "utils/Driver/Records/AttachRecords.h"

#include "autotune/Records/BestRecord.h"
#include "autotune/Records/RecordFile.h"
#include "dialects/Task/Variants.h"
#include "passes/Schedule/Loops/ReadLoops.h"
#include "passes/Schedule/Nests/NestDigest.h"
#include "passes/Schedule/Steps/ScheduleSteps.h"
#include "passes/Target/CpuList.h"
#include "utils/Driver/Diagnostics/DiagnosticSink.h"
#include "utils/Driver/PhaseRunner.h"
#include "utils/Driver/Records/AttachVariants.h"
#include "utils/Driver/Records/FitRecords.h"
#include "utils/Driver/Tune/CollectTasks.h"
#include "utils/Driver/Tune/TuneSizes.h"

#include "llvm/Support/FormatVariadic.h"

using namespace cameo;
using namespace cameo::autotune;

namespace {

struct LostTask {
  std::string name, reason;
  double flops;
};

class Attacher {
public:
  Attacher(mlir::ModuleOp module, const TargetInfo &target, const RecordsOptions &options,
           std::vector<TuningRecord> &records, unsigned threads, std::string place, bool verbose)
      : module(module), options(options), place(std::move(place)), verbose(verbose), records(records),
        target(recordTarget(target, threads)), machine(target), gpu(target.gpu) {}

  llvm::LogicalResult run();

private:
  llvm::Error attach(task::DefOp def, const schedule::TaskProgram &program, const BestRecords &bests);
  void addVariants(task::DefOp def, const schedule::TaskProgram &program, const BestRecords &bests) const;
  llvm::LogicalResult report(llvm::ArrayRef<LostTask> lost, double allFlops);
  void reportOpen(llvm::ArrayRef<std::string> names) const;

  mlir::ModuleOp module;
  const RecordsOptions &options;
  std::string place; ///< prefix of messages: the file, and the CPU if there are several
  bool verbose;
  std::vector<TuningRecord> &records;
  ForeignRecords foreign; ///< describes the records that were removed because they do not fit
  RecordTarget target;
  Machine machine;
  const GpuMachine *gpu; ///< the GPU that runs the tasks; null: the CPU
};

} // namespace

std::string cameo::originOf(const BestAnswer &answer) {
  const TuningRecord &record = *answer.record;
  std::string from = llvm::formatv("record of {0}: {1:F4} ms", record.time, record.cost() * 1e3);
  if (!record.sizes.empty())
    from += " for " + (record.ranges.empty() ? record.sizes : "those of " + record.sizes + " in this range");
  if (!record.defaultCosts.empty())
    from += llvm::formatv(", {0:F3} of {1}'s time", record.relativeCost().median,
                          record.ranges.empty() ? "the default schedule" : "the other one");
  return answer.reason.empty() ? from : from + ", " + answer.reason;
}

static llvm::StringRef keyOf(task::DefOp def) {
  auto key = def->getAttrOfType<mlir::StringAttr>("key");
  return key ? key.strref() : "";
}

llvm::Error Attacher::attach(task::DefOp def, const schedule::TaskProgram &program, const BestRecords &bests) {
  BestAnswer answer = bests.find(keyOf(def), target);
  if (!answer.record) {
    auto reason = foreign.reasons.find(keyOf(def));
    return llvm::createStringError(reason == foreign.reasons.end()
                                       ? answer.reason
                                       : "its records were " + reason->second + "; see 'cameo records migrate'");
  }
  schedule::StepsAttr steps = schedule::parseSteps(answer.record->schedule, module.getContext());
  if (!steps)
    return llvm::createStringError("its record's schedule cannot be parsed by this version");
  if (llvm::Error error = schedule::applySteps(steps, program, machine, gpu).takeError())
    return llvm::createStringError("its record's schedule cannot be applied: " + llvm::toString(std::move(error)));
  def->setAttr("schedule", steps);
  def->setAttr("schedule_from", mlir::StringAttr::get(module.getContext(), originOf(answer)));
  return llvm::Error::success();
}

/// Attaches the records for ranges of sizes. A missing one is not reported, because the schedule for all sizes applies.
void Attacher::addVariants(task::DefOp def, const schedule::TaskProgram &program, const BestRecords &bests) const {
  std::vector<BestAnswer> ranged = bests.findRanged(keyOf(def), target);
  if (ranged.empty() || gpu || !options.withVariants)
    return;
  BestAnswer forAll = bests.find(keyOf(def), target);
  std::string name = def.getSymName().str();
  for (const std::string &reason :
       attachVariants(def, program, ranged, forAll.record ? llvm::StringRef(forAll.record->schedule) : "", machine))
    if (options.policy != RecordsPolicy::Silent)
      cameo::report(Severity::Warning, place + ": task " + name + ": " + reason);
  if (!verbose)
    return;
  for (task::DefOp variant : task::variantsOf(def))
    cameo::report(Severity::Remark, "task " + name + " has its own schedule " +
                                        variant->getAttrOfType<mlir::StringAttr>("schedule_from").getValue());
}

/// Reports the tasks without a record. Their time is not known without measuring, so the message gives their share of
/// the FLOPs.
llvm::LogicalResult Attacher::report(llvm::ArrayRef<LostTask> lost, double allFlops) {
  if (lost.empty() || options.policy == RecordsPolicy::Silent)
    return llvm::success();
  bool isError = options.policy == RecordsPolicy::Locked;
  double flops = 0;
  for (const LostTask &task : lost) {
    flops += task.flops;
    std::string message = llvm::formatv("{0}: task {1} ({2:F1} % of the FLOPs) has no record: {3}", place, task.name,
                                        allFlops > 0 ? task.flops / allFlops * 100 : 0, task.reason);
    cameo::report(isError ? Severity::Error : Severity::Warning, message);
  }
  if (!isError)
    return llvm::success();
  return reportFailure(
      llvm::formatv("{0} of the tasks, {1:F1} % of the FLOPs, would run with default schedules; tune them, or allow it "
                    "with --records-policy=warn",
                    lost.size(), allFlops > 0 ? flops / allFlops * 100 : 0)
          .str());
}

/// Reports the tasks with dynamic sizes and without a record, but never as an error: tuning can record a schedule for
/// them only if the user gives sizes. Where records have sizes for all its names, a task is like any other without one.
void Attacher::reportOpen(llvm::ArrayRef<std::string> names) const {
  if (!names.empty() && options.policy != RecordsPolicy::Silent)
    cameo::report(Severity::Warning, place + ": " + llvm::Twine(names.size()) +
                                         (names.size() == 1 ? " task has its" : " tasks have their") +
                                         " default schedule: " + explainOpenTasks(names));
}

llvm::LogicalResult Attacher::run() {
  llvm::StringMap<double> calls;
  module.walk([&](task::CallOp call) { calls[call.getCallee()] += 1; });
  std::vector<LostTask> lost;
  std::vector<std::string> open;
  double allFlops = 0;
  std::vector<std::pair<task::DefOp, schedule::TaskProgram>> programs;
  llvm::StringMap<std::string> nests;
  for (auto def : module.getOps<task::DefOp>()) {
    if (!schedule::programOf(def)) // no schedule can be recorded for it either
      continue;
    schedule::TaskProgram program = schedule::readNests(def);
    nests[keyOf(def)] = schedule::digestOf(program).all;
    programs.emplace_back(def, std::move(program));
  }
  foreign = takeForeign(records, nests);
  TunedNames tuned(records);
  BestRecords bests(records);
  for (auto &[def, program] : programs) {
    auto flopsOf = def->getAttrOfType<mlir::FloatAttr>("flops");
    double flops = (flopsOf ? flopsOf.getValueAsDouble() : 0) * calls.lookup(def.getSymName());
    if (!hasKnownSizes(def) && !tuned.hasAll(spellSizeNames(def)) && !bests.has(keyOf(def))) {
      open.push_back(def.getSymName().str());
      continue;
    }
    allFlops += flops;
    if (llvm::Error error = attach(def, program, bests))
      lost.push_back({def.getSymName().str(), llvm::toString(std::move(error)), flops});
    addVariants(def, program, bests);
  }
  reportOpen(open);
  return report(lost, allFlops);
}

llvm::LogicalResult cameo::attachRecords(mlir::ModuleOp module, const TargetInfo &target,
                                         const CompileOptions &options) {
  const RecordsOptions &records = options.records;
  if (records.file.empty() && records.policy == RecordsPolicy::Locked)
    return reportFailure("--records-policy=locked: expected --records FILE, in which every task has a record");
  if (records.file.empty() || records.policy == RecordsPolicy::Off || records.policy == RecordsPolicy::Borders)
    return llvm::success();
  llvm::Expected<RecordFile> file = readRecords(records.file);
  if (!file)
    return reportFailure(file.takeError());
  std::string place = isCpuList(options.cpu) ? records.file + ": " + target.cpu : records.file;
  return Attacher(module, target, records, file->records, static_cast<unsigned>(options.threads), std::move(place),
                  options.verbose)
      .run();
}
