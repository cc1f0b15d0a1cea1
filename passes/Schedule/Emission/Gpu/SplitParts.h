// What blocks that divide a reduction leave of it, and how the last of them to come puts that together: in the order of
// the parts, whichever block comes last.
#ifndef CAMEO_PASSES_SCHEDULE_EMISSION_GPU_SPLITPARTS_H
#define CAMEO_PASSES_SCHEDULE_EMISSION_GPU_SPLITPARTS_H

#include "passes/Schedule/Nests/LoopNest.h"

#include "mlir/IR/Builders.h"

namespace cameo::schedule {

/// Where blocks leave what they have of the only reduction of a nest: for each part all points, the last dimension
/// varying fastest.
struct SplitParts {
  mlir::Value memory;
  int64_t count = 1;    ///< of parts
  mlir::Value counters; ///< one for the blocks that have parts of the same points
  mlir::Value told;     ///< in shared memory: one number of 32 bits, whether the block is the last of these
};

/// What the parts of all points of `nest` take.
int64_t elementsOfParts(const LoopNest &nest, int64_t count);

/// Leaves what `values`, those of neighbours from point number `first` on, are of part number `part`.
void storeParts(mlir::OpBuilder &builder, const LoopNest &nest, SplitParts parts, mlir::Value part, mlir::Value first,
                llvm::ArrayRef<mlir::Value> values);

/// What all threads of a block do when they have left their part: `emitBody` writes what the last block to come to
/// counter number `number` does, which reads the parts of all. `thread` is the number of the thread.
void emitBehindParts(mlir::OpBuilder &builder, mlir::Location loc, SplitParts parts, mlir::Value number,
                     mlir::Value thread, llvm::function_ref<void()> emitBody);

/// Neighbouring points of a thread. `exists` is null where all blocks have them.
struct PartPoints {
  mlir::Value first; ///< its number
  mlir::Value exists;
};

/// `sums` with all parts added, those of the points of `points`, of which each has as many. Of points that do not exist
/// they stay as they are.
llvm::SmallVector<mlir::Value> addParts(mlir::OpBuilder &builder, const LoopNest &nest, SplitParts parts,
                                        llvm::ArrayRef<PartPoints> points, llvm::ArrayRef<mlir::Value> sums);

} // namespace cameo::schedule

#endif
