// Keeps the tensors that a loop carries in place; bufferisation would allocate memory for them in each iteration.
#ifndef CAMEO_PASSES_SCHEDULE_NAIVE_LOOPMEMORY_H
#define CAMEO_PASSES_SCHEDULE_NAIVE_LOOPMEMORY_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace cameo::schedule {

/// Before bufferisation: makes each iteration of the loops of `kernel` insert the tensors that it carries into their
/// initial tensors.
void closeLoops(mlir::func::FuncOp kernel, mlir::RewriterBase &rewriter);

/// Before bufferisation: makes an output that begins as an argument begin as a copy of it, in its own memory.
/// Bufferisation would write into a second copy.
void copyArguments(mlir::func::FuncOp kernel, mlir::RewriterBase &rewriter);

/// After bufferisation: replaces the memory that a loop carries by its initial memory, and removes it from the loop's
/// values. Adds a copy if bufferisation chose other memory.
void foldLoops(mlir::func::FuncOp kernel, mlir::RewriterBase &rewriter);

} // namespace cameo::schedule

#endif
