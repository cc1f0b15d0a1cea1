#include "passes/Pipeline/Pipeline.h"

#include "passes/Codegen/Passes.h"
#include "passes/Graph/Passes.h"
#include "passes/Layout/Passes.h"
#include "passes/Lower/Passes.h"
#include "passes/Memory/Passes.h"
#include "passes/Partition/Passes.h"
#include "passes/Pipeline/Passes.h"
#include "passes/Schedule/Passes.h"
#include "passes/Target/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Transforms/Passes.h"

using namespace cameo;
using namespace mlir;

llvm::StringRef cameo::phaseName(Phase phase) {
  static constexpr llvm::StringRef names[] = {"graph", "layout",   "partition", "lower",
                                              "loops", "schedule", "emit",      "memory"};
  return names[static_cast<int>(phase)];
}

/// What Phase::Graph asks a processor.
static bool multipliesSameSigns(const TargetInfo &target) { return target.byteProducts == ByteProducts::SameSign; }

std::optional<Phase> cameo::lastCommonPhase(llvm::ArrayRef<TargetInfo> targets) {
  bool isCommon = llvm::all_equal(llvm::map_range(targets, multipliesSameSigns));
  return isCommon ? std::optional(Phase::Loops) : std::nullopt;
}

static void addGraph(OpPassManager &manager, const PipelineOptions &options) {
  auto onFunctions = [&](std::unique_ptr<Pass> pass) { manager.addNestedPass<func::FuncOp>(std::move(pass)); };
  // Wants the model as imported: it decides for which sizes all that follows is.
  if (options.splitBatch)
    manager.addPass(createSplitBatchPass());
  onFunctions(createCheckReadShapesPass({/*comparesAll=*/!options.target.gpu}));
  // Relations between sizes of a branch that is not left out hold in every run.
  if (options.target.gpu)
    onFunctions(createIfConvertPass());
  onFunctions(createRequireSizesPass());
  for (const auto &create : options.graphPasses) {
    std::unique_ptr<Pass> pass = create();
    pass->getOpName() == func::FuncOp::getOperationName() ? onFunctions(std::move(pass))
                                                          : manager.addPass(std::move(pass));
  }
  if (options.naive) {
    if (options.wide)
      onFunctions(createWidenFloatsPass());
    // What comes after knows only the decomposed forms.
    onFunctions(createDecomposeOpsPass());
    onFunctions(createRequireSizesPass({/*differences=*/true}));
    return;
  }
  onFunctions(createSimplifyGraphPass());
  // Weights stay bytes where they are multiplied as such.
  FoldConstantsPassOptions keepBytes;
  keepBytes.dequantize = false;
  manager.addPass(createFoldConstantsPass(keepBytes));
  manager.addPass(createAttachTargetPass(options.target));
  onFunctions(createFormIntegerProductsPass());
  manager.addPass(createFoldConstantsPass());
  // Before decomposing, which would take the patterns apart; after folding, which makes their constants visible.
  onFunctions(createRaisePatternsPass());
  // A run on a GPU would wait for the count.
  if (!options.target.gpu)
    onFunctions(createBoundKeysPass());
  onFunctions(createDecomposeOpsPass());
  onFunctions(createRequireSizesPass({/*differences=*/true}));
  onFunctions(createNarrowWindowsPass());
  // Transposes of weights, which decomposing made, are folded before BatchNorm looks for constant weights.
  manager.addPass(createFoldConstantsPass());
  onFunctions(createFoldBatchNormPass());
  // Nothing folds into a sum.
  onFunctions(createPartTapsPass());
  // Weights that a run scales are no constants any more.
  onFunctions(createMoveScalesPass());
  onFunctions(createCancelTransposesPass());
  onFunctions(createSimplifyGraphPass());
  manager.addPass(createFoldConstantsPass());
}

static void addLayout(OpPassManager &manager, const PipelineOptions &options) {
  // Constants are folded by now, and partition would hide the nodes.
  manager.addPass(createCheckSizesPass());
  if (options.naive)
    return;
  auto onFunctions = [&](std::unique_ptr<Pass> pass) { manager.addNestedPass<func::FuncOp>(std::move(pass)); };
  onFunctions(createChooseLayoutPass());
  onFunctions(createSplitPaddingPass());
  onFunctions(createFoldZeroPointsPass());
  // Transposes at the borders of the channels-last region may meet others, and those of constants are computed now.
  onFunctions(createCancelTransposesPass());
  onFunctions(createSimplifyGraphPass());
  manager.addPass(createFoldConstantsPass());
  // Behind all folding, which would convert the stored weights back.
  onFunctions(createShrinkWeightsPass({options.weightsType}));
}

static void addPartition(OpPassManager &manager, const PipelineOptions &options) {
  if (options.naive) {
    manager.addPass(createOneTaskPerOpPass());
  } else {
    manager.addNestedPass<func::FuncOp>(createSinkViewsPass());
    manager.addNestedPass<func::FuncOp>(createPlacePartsPass());
    // On a GPU a run has buffers of its own.
    if (!options.target.gpu)
      manager.addNestedPass<func::FuncOp>(createUpdateCachesPass());
    manager.addPass(createFormTasksPass());
  }
  manager.addPass(createDeduplicateTasksPass());
}

void cameo::addScheduleChoice(OpPassManager &manager, const PipelineOptions &options) {
  manager.addPass(createAttachTargetPass(options.target));
  manager.addPass(createScheduleTasksPass({options.winograd}));
  if (options.limits.apply)
    manager.addPass(createLimitSchedulesPass({options.limits.savedBytes, options.winograd}));
}

static void addSchedule(OpPassManager &manager, const PipelineOptions &options) {
  if (options.target.gpu) {
    manager.addPass(createAttachTargetPass(options.target));
    manager.addPass(createScheduleTasksPass({options.winograd}));
    return manager.addPass(createApplySchedulePass());
  }
  if (options.naive || options.plainTasks)
    return;
  addScheduleChoice(manager, options);
  manager.addPass(createApplySchedulePass());
}

static void addGpuEmit(OpPassManager &manager) {
  manager.addPass(createMergeTasksPass());
  manager.addPass(createEmitGpuKernelsPass());
  manager.addPass(createEmitNaivePass());
  manager.addPass(createRunOnOneThreadPass());
  // Before functions of f32 are taken apart, which functions of halves become.
  manager.addPass(
      createExpandHalfFloatsPass({/*f16Conversions=*/true, /*f16Arithmetic=*/false, /*bf16Conversions=*/true}));
  manager.addPass(createApproximateMathPass());
}

static void addEmit(OpPassManager &manager, const PipelineOptions &options) {
  if (options.target.gpu)
    return addGpuEmit(manager);
  if (!options.naive && !options.plainTasks) {
    manager.addPass(createEmitKernelsPass());
    manager.addPass(createApproximateMathPass());
  }
  // On both paths: the emitter leaves what it does not handle.
  manager.addPass(createEmitNaivePass());
  if (!options.naive && !options.plainTasks)
    manager.addPass(createJoinVariantsPass());
  // Behind all that decides how much scratch memory a task has.
  if (options.limits.orderTasks)
    manager.addPass(createOrderTasksPass());
}

void cameo::addPhase(OpPassManager &manager, Phase phase, const PipelineOptions &options) {
  switch (phase) {
  case Phase::Graph:
    return addGraph(manager, options);
  case Phase::Layout:
    return addLayout(manager, options);
  case Phase::Partition:
    return addPartition(manager, options);
  case Phase::Lower:
    return manager.addPass(createLowerToLinalgPass());
  case Phase::Loops:
    if (!options.naive && !options.plainTasks)
      manager.addPass(createBuildLoopsPass());
    return;
  case Phase::Schedule:
    return addSchedule(manager, options);
  case Phase::Emit:
    return addEmit(manager, options);
  case Phase::Memory:
    manager.addPass(createPlanBuffersPass());
    manager.addPass(createResolveSizesPass());
    if (!options.runSizes.empty())
      manager.addPass(createFixRunSizesPass({options.runSizes}));
    return manager.addPass(createPassTextAreaPass());
  }
}
