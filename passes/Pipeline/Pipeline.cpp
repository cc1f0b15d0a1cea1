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

/// Whether the target takes the decisions of Phase::Graph that depend on the processor.
static bool multipliesSameSigns(const TargetInfo &target) { return target.byteProducts == ByteProducts::SameSign; }

std::optional<Phase> cameo::lastCommonPhase(llvm::ArrayRef<TargetInfo> targets) {
  bool isCommon = llvm::all_equal(llvm::map_range(targets, multipliesSameSigns));
  return isCommon ? std::optional(Phase::Loops) : std::nullopt;
}

static void addGraph(OpPassManager &manager, const PipelineOptions &options) {
  auto onFunctions = [&](std::unique_ptr<Pass> pass) { manager.addNestedPass<func::FuncOp>(std::move(pass)); };
  // The reference path takes no decision that depends on the processor.
  if (!options.naive)
    manager.addPass(createAttachTargetPass(options.target));
  // Needs the model as imported: it decides for which sizes everything after it is compiled.
  if (options.splitBatch)
    manager.addPass(createSplitBatchPass());
  onFunctions(createCheckReadShapesPass({/*comparesAll=*/!options.target.gpu}));
  // Relations between sizes of a branch must hold in every run if both branches are always computed.
  if (options.target.gpu)
    onFunctions(createIfConvertPass());
  onFunctions(createRequireSizesPass());
  if (!options.naive)
    manager.addPass(createFixRequiredSizesPass());
  for (const auto &create : options.graphPasses) {
    std::unique_ptr<Pass> pass = create();
    pass->getOpName() == func::FuncOp::getOperationName() ? onFunctions(std::move(pass))
                                                          : manager.addPass(std::move(pass));
  }
  if (options.naive) {
    if (options.wide)
      onFunctions(createWidenFloatsPass());
    // Later passes handle the decomposed forms only.
    onFunctions(createDecomposeOpsPass());
    onFunctions(createRequireSizesPass({/*differences=*/true}));
    return;
  }
  onFunctions(createSimplifyGraphPass());
  // Weights of integer products stay bytes.
  FoldConstantsPassOptions keepBytes;
  keepBytes.dequantize = false;
  manager.addPass(createFoldConstantsPass(keepBytes));
  onFunctions(createFormIntegerProductsPass());
  manager.addPass(createFoldConstantsPass());
  // Runs before decomposing, which would split the patterns, and after folding, which makes their constants visible.
  onFunctions(createRaisePatternsPass());
  // A run on a GPU would have to wait for the count.
  if (!options.target.gpu)
    onFunctions(createBoundKeysPass());
  onFunctions(createDecomposeOpsPass());
  onFunctions(createRequireSizesPass({/*differences=*/true}));
  onFunctions(createNarrowWindowsPass());
  // Folds transposes of weights that decomposing created, because BatchNorm folding needs constant weights.
  manager.addPass(createFoldConstantsPass());
  onFunctions(createFoldBatchNormPass());
  // Runs after BatchNorm folding, which cannot fold into a sum of convolutions.
  onFunctions(createPartTapsPass());
  // Matrix units want channels; vectors of processors lie along the filters.
  if (options.target.gpu)
    onFunctions(createFoldStridesPass());
  // Runs after BatchNorm folding, because scaled weights are no longer constants.
  onFunctions(createMoveScalesPass());
  onFunctions(createGroupQueriesPass());
  onFunctions(createCancelTransposesPass());
  onFunctions(createSimplifyGraphPass());
  manager.addPass(createFoldConstantsPass());
}

static void addLayout(OpPassManager &manager, const PipelineOptions &options) {
  // Runs after constants are folded and before partitioning, which would hide the nodes.
  manager.addPass(createCheckSizesPass());
  if (options.naive)
    return;
  auto onFunctions = [&](std::unique_ptr<Pass> pass) { manager.addNestedPass<func::FuncOp>(std::move(pass)); };
  onFunctions(createChooseLayoutPass());
  onFunctions(createSplitPaddingPass());
  onFunctions(createFoldZeroPointsPass());
  // Transposes at the borders of the channels-last region may cancel, and those of constants are folded.
  onFunctions(createCancelTransposesPass());
  onFunctions(createSimplifyGraphPass());
  manager.addPass(createFoldConstantsPass());
  // Runs after all folding, which would convert the stored weights back.
  onFunctions(createShrinkWeightsPass({options.weightsType}));
}

static void addPartition(OpPassManager &manager, const PipelineOptions &options) {
  if (options.naive) {
    manager.addPass(createOneTaskPerOpPass());
  } else {
    manager.addNestedPass<func::FuncOp>(createSinkViewsPass());
    manager.addNestedPass<func::FuncOp>(createPlacePartsPass());
    manager.addNestedPass<func::FuncOp>(createUpdateCachesPass());
    // Kernels of a GPU copy a cache in a launch of its own.
    manager.addPass(createFormTasksPass({/*joinsCopies=*/!options.target.gpu}));
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
    manager.addPass(createChainTasksPass());
    manager.addPass(createScheduleTasksPass({options.winograd}));
  } else if (options.naive || options.plainTasks) {
    return;
  } else {
    addScheduleChoice(manager, options);
  }
  manager.addPass(createApplySchedulePass());
  manager.addPass(createSharePackedConstantsPass());
}

static void addGpuEmit(OpPassManager &manager, const PipelineOptions &options) {
  manager.addPass(createChooseHostTasksPass());
  manager.addPass(createMergeTasksPass());
  manager.addPass(createEmitGpuKernelsPass({options.dependentLaunch, options.clusters}));
  manager.addPass(createEmitNaivePass());
  manager.addPass(createRunOnOneThreadPass());
  // Runs before f32 functions are expanded, because functions of half-precision floats become f32 functions.
  manager.addPass(
      createExpandHalfFloatsPass({/*f16Conversions=*/true, /*f16Arithmetic=*/false, /*bf16Conversions=*/true}));
  manager.addPass(createApproximateMathPass());
}

static void addEmit(OpPassManager &manager, const PipelineOptions &options) {
  if (options.target.gpu)
    return addGpuEmit(manager, options);
  if (!options.naive && !options.plainTasks) {
    manager.addPass(createEmitKernelsPass());
    manager.addPass(createApproximateMathPass());
  }
  // On both paths, because the emitter leaves bodies that it cannot handle.
  manager.addPass(createEmitNaivePass());
  if (!options.naive && !options.plainTasks)
    manager.addPass(createJoinVariantsPass());
  // Runs after all passes that change the scratch memory of tasks.
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
    if (options.target.gpu)
      manager.addPass(createEmitRowKernelsPass());
    manager.addPass(createResolveSizesPass());
    if (!options.runSizes.empty())
      manager.addPass(createFixRunSizesPass({options.runSizes}));
    return manager.addPass(createPassTextAreaPass());
  }
}
