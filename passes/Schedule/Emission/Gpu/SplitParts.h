// Partial results of blocks that divide a reduction. The last block to arrive combines them in the order of the parts,
// so the result does not depend on which block is last.
#ifndef CAMEO_PASSES_SCHEDULE_EMISSION_GPU_SPLITPARTS_H
#define CAMEO_PASSES_SCHEDULE_EMISSION_GPU_SPLITPARTS_H

#include "passes/Schedule/Nests/LoopNest.h"

#include "mlir/IR/Builders.h"

namespace cameo::schedule {

/// The memory for partial results of the only reduction of a nest: for each part all points, the last dimension varying
/// fastest. Blocks of a cluster have none (ClusterSums.h).
struct SplitParts {
  mlir::Value memory;
  int64_t count = 1;      ///< number of parts
  mlir::Value counters;   ///< one for each set of blocks with parts of the same points
  mlir::Value isLastFlag; ///< in shared memory: one i32, whether the block is the last of its set

  bool areInCluster() const { return count > 1 && !memory; }
};

/// Returns the number of elements of a buffer that holds `count` partial results of every point of `nest`.
int64_t elementsOfParts(const LoopNest &nest, int64_t count);

/// Stores `values`, the partial sums of consecutive points from `first` on, as partial result number `part`.
void storeParts(mlir::OpBuilder &builder, const LoopNest &nest, SplitParts parts, mlir::Value part, mlir::Value first,
                llvm::ArrayRef<mlir::Value> values);

/// Emits the code after a block has stored its part: it increments counter number `number`, and the last block to
/// arrive executes `emitBody`, which reads all parts. All threads must execute this code; `thread` is the number of the
/// thread.
void emitBehindParts(mlir::OpBuilder &builder, mlir::Location loc, SplitParts parts, mlir::Value number,
                     mlir::Value thread, llvm::function_ref<void()> emitBody);

/// Consecutive points of a thread. `exists` is null if the points exist in all blocks.
struct PartPoints {
  mlir::Value first; ///< the number of the first point
  mlir::Value exists;
};

/// Returns `sums` plus all parts. Each of `points` has an equal number of the sums. Sums of points that do not exist
/// are unchanged.
llvm::SmallVector<mlir::Value> addParts(mlir::OpBuilder &builder, const LoopNest &nest, SplitParts parts,
                                        llvm::ArrayRef<PartPoints> points, llvm::ArrayRef<mlir::Value> sums);

} // namespace cameo::schedule

#endif
