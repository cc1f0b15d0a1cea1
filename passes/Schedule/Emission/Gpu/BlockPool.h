// Pools the results of a block: its threads keep them in shared memory, and compute the windows that lie in the block.
#ifndef CAMEO_PASSES_SCHEDULE_EMISSION_GPU_BLOCKPOOL_H
#define CAMEO_PASSES_SCHEDULE_EMISSION_GPU_BLOCKPOOL_H

#include "passes/Schedule/Emission/Gpu/LaneEvaluator.h"
#include "passes/Schedule/Emission/Gpu/SharedOperand.h"
#include "passes/Schedule/Rules/Gpu/PooledTile.h"

namespace cameo::schedule {

class BlockPool {
public:
  /// `nest` computes the points of `pool`, a block those of `tile` at `place`. `memory` is what the block has for an
  /// operand. All arguments must outlive this object; code is inserted at the builder's insertion point.
  BlockPool(mlir::OpBuilder &builder, const LoopNest &nest, const Pool &pool, llvm::ArrayRef<mlir::Value> buffers,
            const BlockTile &tile, const TilePlace &place, mlir::Value memory);

  /// Stores the results for `sums`, those of `points` of a thread, to shared memory; the other arguments as in
  /// TileStores. Behind this no thread may read operands.
  void keep(llvm::ArrayRef<Point> points, llvm::ArrayRef<mlir::Value> sums, llvm::ArrayRef<Position> positions,
            llvm::ArrayRef<int64_t> neighbours, const BlockVectors *vectors);
  /// Emits the windows of the block.
  void emit();

private:
  /// For each step along a dimension, what its point adds to an address.
  using Steps = llvm::SmallVector<mlir::Value>;

  void emitWindow(int64_t first);
  Steps stepsAlong(unsigned dim, mlir::Value window);
  mlir::Value reduce(LaneEvaluator &results, llvm::ArrayRef<Steps> steps, mlir::Value at);
  mlir::Value evaluate(NodeId node, mlir::Value sum, mlir::Value point);
  mlir::Value loadAt(mlir::Value at);
  mlir::Value constant(int64_t value);
  mlir::Value add(mlir::Value a, mlir::Value b);
  mlir::Value scale(mlir::Value a, int64_t factor);

  mlir::OpBuilder &builder;
  const LoopNest &nest;
  const Pool &pool;
  llvm::ArrayRef<mlir::Value> buffers;
  const BlockTile &tile;
  const TilePlace &place;
  mlir::Value memory;
  PooledLayout layout;
  int64_t together; ///< windows of a thread, side by side
};

} // namespace cameo::schedule

#endif
