// Writes a nest of which each block computes a tile of points, with what all of its threads read in shared memory: how
// they fetch it, step by step of the reduction. What they make of it depends on who multiplies.
#ifndef CAMEO_PASSES_SCHEDULE_EMISSION_GPU_TILENEST_H
#define CAMEO_PASSES_SCHEDULE_EMISSION_GPU_TILENEST_H

#include "passes/Schedule/Emission/Gpu/SharedOperand.h"
#include "passes/Schedule/Emission/Gpu/TileStores.h"

namespace cameo::schedule {

class TileNest {
public:
  /// `shared` has memory for each of the `cachedLoads`, of a layout for each stage. Where blocks divide the reduction,
  /// what each has goes to `parts`, and the last of them computes the results. All of these outlive the object; the
  /// code goes to the builder's insertion point.
  TileNest(mlir::OpBuilder &builder, const LoopNest &nest, const NestSchedule &schedule, const GpuSchedule &gpuSchedule,
           llvm::ArrayRef<mlir::Value> buffers, llvm::ArrayRef<mlir::Value> shared, SplitParts parts);
  virtual ~TileNest() = default;

  /// What thread number `thread` of block number `block` does.
  void emit(mlir::Value block, mlir::Value thread);

protected:
  using Values = llvm::SmallVector<mlir::Value>;

  /// Takes the number of the thread apart: sets `place.threadIn` by `placeWithin`, and what else there is.
  virtual void locateThread(mlir::Value thread) = 0;
  /// What `computeStep` needs of `operands` in each step.
  virtual void prepareOperands() {}
  /// The sums of all points after what was fetched for the step that begins at `begins`; it lies in stage number
  /// `stage` of shared memory, in the first one where that is null.
  virtual Values computeStep(llvm::ArrayRef<mlir::Value> begins, mlir::Value stage, Values sums) = 0;

  /// Places along each dimension of number `number` of `threads()` of all of them, the last one varying fastest.
  void placeWithin(mlir::Value number);
  mlir::Value constant(int64_t value);

  mlir::OpBuilder &builder;
  const LoopNest &nest;
  const NestSchedule &schedule;
  const GpuSchedule &gpuSchedule;
  llvm::ArrayRef<mlir::Value> buffers;
  BlockTile tile;
  TilePlace place;
  llvm::SmallVector<Position> positions;
  std::vector<Point> points;             ///< of a thread: offsets from where it begins
  llvm::SmallVector<int64_t> neighbours; ///< of these along each dimension that lie side by side, a power of two
  std::vector<SharedOperand> operands;

private:
  void locateBlock(mlir::Value block);
  mlir::Value takeNumber(mlir::Value &number, int64_t &left, int64_t count);
  Values emitSteps(Values sums);
  Values emitAsyncSteps(Values sums);
  Values emitInitial(llvm::ArrayRef<Point> some);
  void copyStep(mlir::Value step, mlir::Value stage);
  int64_t stepsOfReductions() const;
  llvm::SmallVector<mlir::Value> beginsOf(mlir::Value step);

  llvm::ArrayRef<mlir::Value> shared;
  SplitParts parts;
  mlir::Value part; ///< the number of this block's; null: it has all
  mlir::Value own;  ///< where it has a part: its number among those that have other points
};

} // namespace cameo::schedule

#endif
