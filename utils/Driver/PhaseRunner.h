// Import and the phases on one module, with diagnostics and times: what compiling and inspecting have in common.
#ifndef CAMEO_UTILS_DRIVER_PHASERUNNER_H
#define CAMEO_UTILS_DRIVER_PHASERUNNER_H

#include "passes/Pipeline/Pipeline.h"
#include "utils/Driver/CompileOptions.h"
#include "utils/Driver/Diagnostics/ReportDiagnostics.h"
#include "utils/Driver/PhaseTimer.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <set>

namespace cameo {

class PhaseRunner {
public:
  explicit PhaseRunner(const CompileOptions &options);

  /// The target of the options, one; an error is reported.
  llvm::LogicalResult resolveTarget();
  /// The same where there may be several.
  llvm::LogicalResult resolveTargets();
  /// The one that phases run for.
  const TargetInfo &target() const { return pipeline.target; }
  /// " for x86-64-v3" of that one; empty where there is no other.
  std::string forTarget() const { return allTargets.size() == 1 ? "" : " for " + target().cpu; }
  /// All, those first that a program prefers.
  llvm::ArrayRef<TargetInfo> targets() const { return allTargets; }

  /// The devices that there is to be code for, none where the processor runs the model.
  llvm::ArrayRef<const GpuMachine *> gpus() const { return allGpus; }

  llvm::LogicalResult import();
  /// The tasks of the model, lowered. The model may also be the text of a module that holds tasks (.mlir), as
  /// --emit=tasks and
  /// --emit=linalg print it.
  llvm::LogicalResult importTasks();
  /// All phases up to `last` that have not run yet.
  llvm::LogicalResult runUntil(Phase last);
  /// Calls `work` for each target in turn, as often as need be: each goes on where it was. Phases that do the same for
  /// all run once, before the first call.
  llvm::LogicalResult forEachTarget(llvm::function_ref<llvm::LogicalResult()> work);
  /// All phases in front of the schedules, and a copy of the module for scheduleAgain.
  llvm::LogicalResult keepUnscheduled();
  /// That copy. What is set on its tasks holds for the next schedules.
  mlir::ModuleOp unscheduled() { return *now().kept; }
  /// Those of the last schedules.
  const ScheduleLimits &limits() const { return pipeline.limits; }
  /// Phase::Schedule and Phase::Emit once more from the beginning, with other limits; quietly, since the same was said
  /// the first time.
  llvm::LogicalResult scheduleAgain(const ScheduleLimits &limits);
  /// A copy of the unscheduled module with the last limits' schedules, which are not applied.
  mlir::FailureOr<mlir::OwningOpRef<mlir::ModuleOp>> copyWithSchedules();
  void dropUnscheduled();
  /// Other work on the module, timed as `phase`. Reports a failure that came without a message.
  llvm::LogicalResult run(llvm::StringRef phase, llvm::function_ref<llvm::LogicalResult()> work);

  /// Work that reports its own failures.
  llvm::LogicalResult time(llvm::StringRef phase, llvm::function_ref<llvm::LogicalResult()> work) {
    return timer.time(phase, work);
  }

  /// Of the target that phases run for.
  mlir::ModuleOp module() { return *now().module; }
  /// Of each target, behind forEachTarget.
  std::vector<mlir::ModuleOp> modules();
  /// The files that the module was made from, by name: the model, its external data, the records.
  std::vector<std::string> filesRead() const { return {files.begin(), files.end()}; }
  /// Makes loops of tasks in linalg, and gives them the schedules that Phase::Schedule would apply.
  llvm::LogicalResult chooseSchedules();
  void printTimes(llvm::raw_ostream &os) const { timer.print(os); }

private:
  /// How far the phases are for one target.
  struct Progress {
    mlir::OwningOpRef<mlir::ModuleOp> module, kept; // the second: before the schedules, or null
    size_t phasesRun = 0;
    bool hasRecords = false; // the tasks have theirs
    ScheduleLimits limits = {};
  };
  Progress &now() { return progress[current]; }
  llvm::LogicalResult divideTargets();
  void choose(size_t target);
  llvm::LogicalResult resolveGpu();
  llvm::LogicalResult takeBorders();
  llvm::LogicalResult takeRecords();
  void warnOfPlainLoops();
  void releaseConstants();

  CompileOptions options;
  std::set<std::string> files;
  PhaseTimer timer;
  mlir::MLIRContext context;
  ReportDiagnostics diagnostics;
  PipelineOptions pipeline;
  std::vector<TargetInfo> allTargets;
  std::vector<const GpuMachine *> allGpus;
  std::vector<Progress> progress; // of all targets in one at first; of each, behind divideTargets
  size_t current = 0;             // the one that phases run for
};

/// Adds the passes of `plugins` that the path of `pipeline` has.
void addGraphPasses(const Plugins &plugins, PipelineOptions &pipeline);

/// Prints "cameo: error: ..." and returns failure.
llvm::LogicalResult reportFailure(const llvm::Twine &message);
llvm::LogicalResult reportFailure(llvm::Error error);

} // namespace cameo

#endif
