// What a loop hands from one iteration to the next stays where it was: bufferisation would give it memory of its own in
// each.
#ifndef CAMEO_PASSES_SCHEDULE_NAIVE_LOOPMEMORY_H
#define CAMEO_PASSES_SCHEDULE_NAIVE_LOOPMEMORY_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace cameo::schedule {

/// Before bufferisation: the tensors that the loops of `kernel` carry go back to where they came from.
void closeLoops(mlir::func::FuncOp kernel, mlir::RewriterBase &rewriter);

/// Behind it: the memory that a loop carries is the memory that it began with, no longer a value of the loop. Where
/// bufferisation gave it another one it is copied back.
void foldLoops(mlir::func::FuncOp kernel, mlir::RewriterBase &rewriter);

} // namespace cameo::schedule

#endif
