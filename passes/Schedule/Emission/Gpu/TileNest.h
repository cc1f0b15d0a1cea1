// Emits a nest in which each block computes a tile of points, with operands in shared memory, which its threads fetch
// in steps of the reduction. Subclasses emit the products.
#ifndef CAMEO_PASSES_SCHEDULE_EMISSION_GPU_TILENEST_H
#define CAMEO_PASSES_SCHEDULE_EMISSION_GPU_TILENEST_H

#include "passes/Schedule/Emission/Gpu/SharedOperand.h"
#include "passes/Schedule/Emission/Gpu/TileStores.h"

namespace cameo::schedule {

class TileNest {
public:
  /// `shared` has memory for each of the `cachedLoads`, with one layout per stage. If blocks divide the reduction, each
  /// one stores its sums to `parts`, and the last block computes the results. All arguments must outlive this object;
  /// code is inserted at the builder's insertion point.
  TileNest(mlir::OpBuilder &builder, const LoopNest &nest, const NestSchedule &schedule, const GpuSchedule &gpuSchedule,
           llvm::ArrayRef<mlir::Value> buffers, llvm::ArrayRef<mlir::Value> shared, SplitParts parts);
  virtual ~TileNest() = default;

  /// Emits the work of thread number `thread` of block number `block`.
  void emit(mlir::Value block, mlir::Value thread);

protected:
  using Values = llvm::SmallVector<mlir::Value>;

  /// Sets `place.threadIn` from the number of the thread by `placeWithin`, and the other values that depend on it.
  virtual void locateThread(mlir::Value thread) = 0;
  /// Precomputes values of `operands` for computeStep.
  virtual void prepareOperands() {}
  /// Returns the sums of all points after the step that begins at `begins`. The operands of the step are in stage
  /// number `stage` of shared memory, or in the first stage if `stage` is null.
  virtual Values computeStep(llvm::ArrayRef<mlir::Value> begins, mlir::Value stage, Values sums) = 0;
  /// Returns the sums after all steps, whose operands are copied asynchronously.
  virtual Values emitAsyncSteps(Values sums);

  /// Sets the indices along each dimension of number `number` of the `threads()` along all dimensions, the last one
  /// varying fastest.
  void placeWithin(mlir::Value number);
  mlir::Value constant(int64_t value);
  /// Returns the number of steps of all reductions, and the first index of step number `step` of the block's share
  /// along each of them.
  int64_t stepsOfReductions() const;
  llvm::SmallVector<mlir::Value> beginsOf(mlir::Value step);

  mlir::OpBuilder &builder;
  const LoopNest &nest;
  const NestSchedule &schedule;
  const GpuSchedule &gpuSchedule;
  llvm::ArrayRef<mlir::Value> buffers;
  BlockTile tile;
  TilePlace place;
  llvm::SmallVector<Position> positions;
  std::vector<Point> points;             ///< of a thread: offsets from its first point
  llvm::SmallVector<int64_t> neighbours; ///< number of contiguous points along each dimension, a power of two
  std::vector<SharedOperand> operands;

private:
  void locateBlock(mlir::Value block);
  mlir::Value takeNumber(mlir::Value &number, int64_t &left, int64_t count);
  Values emitSteps(Values sums);
  Values emitInitial(llvm::ArrayRef<Point> some);
  void copyStep(mlir::Value step, mlir::Value stage);

  llvm::ArrayRef<mlir::Value> shared;
  SplitParts parts;
  mlir::Value part; ///< the number of this block's part; null: it has the whole reduction
  mlir::Value own;  ///< with a part: the number of the block among those with other points
};

} // namespace cameo::schedule

#endif
