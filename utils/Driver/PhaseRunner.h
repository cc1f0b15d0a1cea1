// Runs import and the phases on one module, with diagnostics and timing, for compiling and inspecting.
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

  /// Resolves the target of the options, which must be a single one. Errors are reported.
  llvm::LogicalResult resolveTarget();
  /// The same for one or more targets.
  llvm::LogicalResult resolveTargets();
  /// Returns the current target of the phases.
  const TargetInfo &target() const { return pipeline.target; }
  /// Returns " for x86-64-v3" for the current target; "" if it is the only one.
  std::string forTarget() const { return allTargets.size() == 1 ? "" : " for " + target().cpu; }
  /// Returns all targets, in order of preference at run time.
  llvm::ArrayRef<TargetInfo> targets() const { return allTargets; }

  /// Returns the GPUs to generate code for; empty if the CPU runs the model.
  llvm::ArrayRef<const GpuMachine *> gpus() const { return allGpus; }

  llvm::LogicalResult import();
  /// Imports the model and lowers it to tasks in linalg. The model may also be the text of a module with tasks (.mlir),
  /// as printed by --emit=tasks and --emit=linalg.
  llvm::LogicalResult importTasks();
  /// Runs all phases up to `last` that have not run yet.
  llvm::LogicalResult runUntil(Phase last);
  /// Calls `work` for each target. May be called several times: the phases of each target continue where they were.
  /// Phases that are the same for all targets run once, before the first call.
  llvm::LogicalResult forEachTarget(llvm::function_ref<llvm::LogicalResult()> work);
  /// Runs all phases before the schedules, and keeps a copy of the module for scheduleAgain.
  llvm::LogicalResult keepUnscheduled();
  /// Returns that copy. Attributes set on its tasks are used by the next call of scheduleAgain.
  mlir::ModuleOp unscheduled() { return *now().kept; }
  /// Returns the limits of the last schedules.
  const ScheduleLimits &limits() const { return pipeline.limits; }
  /// Runs Phase::Schedule and Phase::Emit again from the kept copy, with other limits, and without repeating
  /// diagnostics.
  llvm::LogicalResult scheduleAgain(const ScheduleLimits &limits);
  /// Returns a copy of the unscheduled module with the schedules for the last limits, which are not applied yet.
  mlir::FailureOr<mlir::OwningOpRef<mlir::ModuleOp>> copyWithSchedules();
  void dropUnscheduled();
  /// Runs other work on the module, timed as `phase`. Reports a failure that came without a message.
  llvm::LogicalResult run(llvm::StringRef phase, llvm::function_ref<llvm::LogicalResult()> work);

  /// Runs work that reports its own failures.
  llvm::LogicalResult time(llvm::StringRef phase, llvm::function_ref<llvm::LogicalResult()> work) {
    return timer.time(phase, work);
  }

  /// Returns the module of the current target.
  mlir::ModuleOp module() { return *now().module; }
  /// Returns the modules of all targets. Call after forEachTarget.
  std::vector<mlir::ModuleOp> modules();
  /// Returns the names of the files that were read: the model, its external data, the records.
  std::vector<std::string> filesRead() const { return {files.begin(), files.end()}; }
  /// Lowers tasks in linalg to loops, and sets the schedules that Phase::Schedule would apply.
  llvm::LogicalResult chooseSchedules();
  void printTimes(llvm::raw_ostream &os) const { timer.print(os); }

private:
  /// The state of the phases for one target.
  struct Progress {
    mlir::OwningOpRef<mlir::ModuleOp> module, kept; // `kept` is the copy before the schedules, or null
    size_t phasesRun = 0;
    bool hasRecords = false; // whether records are attached to the tasks
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
  std::vector<Progress> progress; // one entry for all targets at first; one for each after divideTargets
  size_t current = 0;             // index of the current target
};

/// Adds the graph passes of `plugins` to `pipeline`; for the naive path, only those that are always used.
void addGraphPasses(const Plugins &plugins, PipelineOptions &pipeline);

/// Prints "cameo: error: ..." and returns failure.
llvm::LogicalResult reportFailure(const llvm::Twine &message);
llvm::LogicalResult reportFailure(llvm::Error error);

} // namespace cameo

#endif
