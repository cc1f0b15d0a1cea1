// Adds the passes of a phase to a pass manager.
#ifndef CAMEO_PASSES_PIPELINE_PIPELINE_H
#define CAMEO_PASSES_PIPELINE_PIPELINE_H

#include "passes/Pipeline/Phases.h"
#include "passes/Target/TargetInfo.h"

#include "mlir/Pass/PassManager.h"

#include <functional>
#include <optional>

namespace cameo {

/// How much memory schedules must save so that a model keeps its budgets: see --limit-schedules and --order-tasks. The
/// `most_scratch` attributes of tasks state the rest.
struct ScheduleLimits {
  bool apply = false;     // whether the limits apply at all
  int64_t savedBytes = 0; // bytes of transformed filters to save
  bool orderTasks = false;
};

struct PipelineOptions {
  TargetInfo target;
  bool naive = false;      // the reference path: no rewrite that is not needed, one task per operator, plain loops
  bool plainTasks = false; // the partition of the optimised path, but plain loops
  bool wide = false;       // naive, with float64 instead of float32 where the operator allows it
  bool splitBatch = false; // compile for one sample if --split-batch proves that samples are independent
  std::string winograd = "auto";           // see --schedule-tasks
  llvm::SmallVector<std::string> runSizes; // see --fix-run-sizes, which is left out if empty
  std::string weightsType = "as-is";       // see --shrink-weights
  bool dependentLaunch = false;            // see --emit-gpu-kernels
  bool clusters = false;                   // likewise
  ScheduleLimits limits;
  std::vector<std::function<std::unique_ptr<mlir::Pass>()>>
      graphPasses; // of plugins, on modules or func.func, at the beginning of Phase::Graph
};

/// Returns the last phase whose result is the same for all of these targets; nothing if already the first differs.
std::optional<Phase> lastCommonPhase(llvm::ArrayRef<TargetInfo> targets);

/// Adds the part of Phase::Schedule that chooses schedules for tasks without one, and changes nothing else.
void addScheduleChoice(mlir::OpPassManager &manager, const PipelineOptions &options);

/// Adds the passes of `phase` to a pass manager of modules. Phases must run in their order.
void addPhase(mlir::OpPassManager &manager, Phase phase, const PipelineOptions &options);

/// Registers each phase as a pipeline of its name, `cameo-graph` and so on, and all of them as `cameo-phases`. Must be
/// called at most once.
void registerPhasePipelines();

} // namespace cameo

#endif
