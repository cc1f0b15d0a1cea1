// After bufferisation a kernel sees tensors as memrefs of any shape, views of views among them. Kernels of the task dialect
// take one-dimensional buffers; this rewrites every access to an address in one of those.
#ifndef CAMEO_PASSES_SCHEDULE_FLATTENBUFFERS_H
#define CAMEO_PASSES_SCHEDULE_FLATTENBUFFERS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace cameo::schedule {

/// The buffer that holds a tensor or memref of this type: one-dimensional, booleans as bytes.
mlir::MemRefType flatBufferType(mlir::ShapedType type);

/// Rewrites the loads and stores of `kernel` and gives it one more argument per allocation, before its last two (the range).
/// `builtin.unrealized_conversion_cast` from a flat buffer marks what is a buffer. Returns the types of the new arguments; fails
/// after an error at an access that is not understood.
llvm::FailureOr<llvm::SmallVector<mlir::MemRefType>> flattenBuffers(mlir::func::FuncOp kernel);

} // namespace cameo::schedule

#endif
