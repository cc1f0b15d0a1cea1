// Emits a nest in which each block computes a tile of points, with operands in shared memory, which its threads fetch
// in steps of the reduction. Subclasses emit the products.
#ifndef CAMEO_PASSES_SCHEDULE_EMISSION_GPU_TILENEST_H
#define CAMEO_PASSES_SCHEDULE_EMISSION_GPU_TILENEST_H

#include "passes/Schedule/Emission/Gpu/BlockVectors.h"
#include "passes/Schedule/Emission/Gpu/DependentLaunch.h"
#include "passes/Schedule/Emission/Gpu/SharedOperand.h"
#include "passes/Schedule/Emission/Gpu/TileStores.h"

namespace cameo::schedule {

class TileNest {
public:
  /// `shared` has memory for each of the `cachedLoads`, with one layout per stage, and then for each of the
  /// `pointVectors`. If blocks divide the reduction, each
  /// one stores its sums to `parts`, and the last block computes the results; in a cluster each computes some. `early`
  /// as in DependentLaunch.h. All arguments must outlive this object; code is inserted at the builder's insertion
  /// point.
  TileNest(mlir::OpBuilder &builder, const LoopNest &nest, const NestSchedule &schedule, const GpuSchedule &gpuSchedule,
           llvm::ArrayRef<mlir::Value> buffers, llvm::ArrayRef<mlir::Value> shared, SplitParts parts,
           const EarlyBuffers *early);
  virtual ~TileNest() = default;

  using Values = llvm::SmallVector<mlir::Value>;

  /// The block pools its results; `of` must outlive this object.
  void setPool(const Pool &of) { pool = &of; }

  /// Emits the work of thread number `thread` of block number `block`.
  void emit(mlir::Value block, mlir::Value thread);

  /// The parts of this: what comes before any access to memory; the sums of all steps, with their fetches; and the
  /// results of sums of the whole reduction. If `kept` is not null, the block keeps its rows of the results there, also
  /// those beyond an edge; they are stored to memory, too, if `isStored` is set.
  void begin(mlir::Value block, mlir::Value thread);
  Values emitSums();
  void emitResults(llvm::ArrayRef<mlir::Value> sums, const KeptRows *kept = nullptr, bool isStored = true);

  const BlockTile &getTile() const { return tile; }
  llvm::ArrayRef<Position> getPositions() const { return positions; }

protected:
  /// Sets `place.threadIn` from the number of the thread by `placeWithin`, and the other values that depend on it.
  virtual void locateThread(mlir::Value thread) = 0;
  /// Precomputes values of `operands` for computeStep.
  virtual void prepareOperands() {}
  /// Returns the sums of all points after the step that begins at `begins`. The operands of the step are in stage
  /// number `stage` of shared memory, or in the first stage if `stage` is null.
  virtual Values computeStep(llvm::ArrayRef<mlir::Value> begins, mlir::Value stage, Values sums) = 0;
  /// Starts the asynchronous copies of the first steps: of the operands that may be read before the wait for earlier
  /// launches, or with `isEarly` false of the others, and commits their groups. So the first group has the early copies
  /// of all these steps, and has arrived when the first step needs it; the number of groups is the same.
  virtual void copyFirstSteps(bool isEarly);
  /// Returns the sums after all steps, whose operands are copied asynchronously, after copyFirstSteps.
  virtual Values emitAsyncSteps(Values sums);

  /// Returns the initial values of the reductions of `some` points.
  Values emitInitial(llvm::ArrayRef<Point> some);
  /// Whether the kernel reads `operand` before it waits for earlier launches.
  bool isEarly(const SharedOperand &operand) const;

  /// Sets the indices along each dimension of number `number` of the `threads()` along all dimensions, in the
  /// order of the tile.
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
  std::optional<BlockVectors> vectors;

private:
  void locateBlock(mlir::Value block);
  mlir::Value takeNumber(mlir::Value &number, int64_t &left, int64_t count);
  void fetchFirstStep(bool isEarly);
  void fetchFirst(bool isEarly);
  Values emitSteps(Values sums);
  void emitShares(llvm::ArrayRef<mlir::Value> sums);
  void emitPooled(llvm::ArrayRef<mlir::Value> sums);
  void copyStep(mlir::Value step, mlir::Value stage, std::optional<bool> early = {});
  bool isStaged() const { return gpuSchedule.stages > 1 && stepsOfReductions() > 1; }

  llvm::ArrayRef<mlir::Value> shared;
  SplitParts parts;
  const EarlyBuffers *early;
  const Pool *pool = nullptr;
  mlir::Value part; ///< the number of this block's part; null: it has the whole reduction
  mlir::Value own;  ///< with a part: the number of the block among those with other points
};

} // namespace cameo::schedule

#endif
