// Adds the passes of a phase to a pass manager.
#ifndef CAMEO_PASSES_PIPELINE_PIPELINE_H
#define CAMEO_PASSES_PIPELINE_PIPELINE_H

#include "passes/Pipeline/Phases.h"
#include "passes/Target/TargetInfo.h"

#include "mlir/Pass/PassManager.h"

#include <functional>
#include <optional>

namespace cameo {

/// What schedules must save so that a model keeps its budgets: see --limit-schedules and --order-tasks. Tasks say the
/// rest (`most_scratch`).
struct ScheduleLimits {
  bool apply = false;     // look at them at all
  int64_t savedBytes = 0; // of filters
  bool orderTasks = false;
};

struct PipelineOptions {
  TargetInfo target;
  bool naive = false;      // the reference path: no rewrite that is not needed, one task per operator, plain loops
  bool plainTasks = false; // tasks as without naive, but as plain loops
  bool wide = false;       // naive, and float64 in place of float32 wherever an operator allows it
  bool splitBatch = false; // the model of one sample, where --split-batch finds that samples are independent
  std::string winograd = "auto";           // see --schedule-tasks
  llvm::SmallVector<std::string> runSizes; // see --fix-run-sizes; empty: it is left out
  std::string weightsType = "as-is";       // see --shrink-weights
  ScheduleLimits limits;
  std::vector<std::function<std::unique_ptr<mlir::Pass>()>>
      graphPasses; // of plugins, on modules or func.func, at the begin of Phase::Graph
};

/// The last phase that makes the same of a model for all of these processors; none where the first differs already.
std::optional<Phase> lastCommonPhase(llvm::ArrayRef<TargetInfo> targets);

/// Adds the part of Phase::Schedule that gives tasks without a schedule one, and changes nothing else.
void addScheduleChoice(mlir::OpPassManager &manager, const PipelineOptions &options);

/// Adds the passes of `phase` to a pass manager of modules. Phases must run in their order.
void addPhase(mlir::OpPassManager &manager, Phase phase, const PipelineOptions &options);

/// Registers each phase as a pipeline of its name, `cameo-graph` and so on, and all of them as `cameo-phases`, for
/// command lines. To be called once.
void registerPhasePipelines();

} // namespace cameo

#endif
