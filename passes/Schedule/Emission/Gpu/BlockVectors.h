// The vectors behind the sums of a tile (PointVectors.h): copies of a block's part to shared memory, and loads from
// there.
#ifndef CAMEO_PASSES_SCHEDULE_EMISSION_GPU_BLOCKVECTORS_H
#define CAMEO_PASSES_SCHEDULE_EMISSION_GPU_BLOCKVECTORS_H

#include "passes/Schedule/Emission/Gpu/SharedOperand.h"
#include "passes/Schedule/Emission/Shared/NodeEvaluator.h"
#include "passes/Schedule/Rules/Gpu/PointVectors.h"

namespace cameo::schedule {

/// The part of a vector that a block has: `memory` begins with the block's first point along `dim`.
struct BlockVector {
  unsigned dim;
  mlir::Value memory;
  mlir::Value first; ///< number of the thread's first point in the block; null: 0
  int64_t aligned;   ///< a power of two that divides `first`
};

class BlockVectors {
public:
  /// `memory` has shared memory for each of `vectors`. All arguments must outlive this object; code is inserted at the
  /// builder's insertion point.
  BlockVectors(mlir::OpBuilder &builder, const LoopNest &nest, const BlockTile &tile, const TilePlace &place,
               llvm::ArrayRef<Position> positions, llvm::ArrayRef<mlir::Value> buffers,
               llvm::SmallVector<PointVector> vectors, llvm::ArrayRef<mlir::Value> memory);

  /// Starts the asynchronous copies of the vectors in buffers for which `isCopied` holds.
  void copy(llvm::function_ref<bool(unsigned buffer)> isCopied);
  /// Returns the vector that `load` reads, or null.
  const BlockVector *find(NodeId load) const;

private:
  mlir::Value firstOf(unsigned dim, int64_t &aligned);
  mlir::Value constant(int64_t value);

  mlir::OpBuilder &builder;
  const LoopNest &nest;
  const BlockTile &tile;
  const TilePlace &place;
  llvm::ArrayRef<Position> positions;
  llvm::ArrayRef<mlir::Value> buffers;
  llvm::SmallVector<PointVector> vectors;
  llvm::SmallVector<BlockVector> parts; ///< of each vector
};

} // namespace cameo::schedule

#endif
