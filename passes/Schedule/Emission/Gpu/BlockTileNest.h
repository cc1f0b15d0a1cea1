// Writes a nest of which each block computes a tile of points, and each thread some of these, with what all of them
// read in shared memory.
#ifndef CAMEO_PASSES_SCHEDULE_EMISSION_GPU_BLOCKTILENEST_H
#define CAMEO_PASSES_SCHEDULE_EMISSION_GPU_BLOCKTILENEST_H

#include "passes/Schedule/Emission/Gpu/LaneEvaluator.h"
#include "passes/Schedule/Emission/Gpu/SharedOperand.h"
#include "passes/Schedule/Emission/Gpu/SplitReduction.h"

namespace cameo::schedule {

class BlockTileNest {
public:
  /// `shared` has memory for each of the `cachedLoads`, of a layout for each stage. Where blocks divide the reduction,
  /// what each has goes to `parts`, and no result is computed. All of these outlive the object; the code goes to the
  /// builder's insertion point.
  BlockTileNest(mlir::OpBuilder &builder, const LoopNest &nest, const NestSchedule &schedule,
                const GpuSchedule &gpuSchedule, llvm::ArrayRef<mlir::Value> buffers, llvm::ArrayRef<mlir::Value> shared,
                SplitParts parts);

  /// What thread number `thread` of block number `block` does.
  void emit(mlir::Value block, mlir::Value thread);

private:
  using Values = llvm::SmallVector<mlir::Value>;

  void locate(mlir::Value block, mlir::Value thread);
  Values emitSteps(Values sums);
  Values emitAsyncSteps(Values sums);
  void copyStep(mlir::Value step, mlir::Value stage);
  int64_t stepsOfReductions() const;
  Values computeStep(llvm::ArrayRef<mlir::Value> begins, mlir::Value stage, Values sums);
  Values addProducts(int64_t steps, Values sums);
  Values addGroups(int64_t steps, Values sums);
  SharedOperand &operandOf(NodeId load);
  llvm::SmallVector<mlir::Value> beginsOf(mlir::Value step);
  Lanes lanesAlong(unsigned dim, mlir::Type type) const;
  Lanes chooseLanes() const;
  void emitStores(llvm::ArrayRef<mlir::Value> sums);
  mlir::Value numberOf(const Point &at);
  mlir::Value constant(int64_t value);

  mlir::OpBuilder &builder;
  const LoopNest &nest;
  const NestSchedule &schedule;
  const GpuSchedule &gpuSchedule;
  llvm::ArrayRef<mlir::Value> buffers, shared;
  SplitParts parts;
  mlir::Value part; ///< the number of this block's; null: it has all
  BlockTile tile;
  TilePlace place;
  llvm::SmallVector<Position> positions;
  std::vector<Point> points; ///< of a thread: offsets from where it begins
  std::vector<SharedOperand> operands;
  std::optional<unsigned> lastStep; ///< the innermost reduction
};

} // namespace cameo::schedule

#endif
