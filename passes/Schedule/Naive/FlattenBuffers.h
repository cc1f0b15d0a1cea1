// After bufferisation a kernel sees tensors as memrefs of any shape, views of views among them. Kernels of the task
// dialect take one-dimensional buffers; this rewrites every access to an address in one of those.
#ifndef CAMEO_PASSES_SCHEDULE_NAIVE_FLATTENBUFFERS_H
#define CAMEO_PASSES_SCHEDULE_NAIVE_FLATTENBUFFERS_H

#include "dialects/Onnx/DimList.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace cameo::schedule {

/// Memory that a kernel asks for. `elements` is the expression of a size that the type does not state, else null.
struct Scratch {
  mlir::MemRefType type;
  DimExprAttr elements;
};

/// A flat buffer seen with a shape. `dims` are the sizes; those that are not static become operands of the mark.
mlir::Value markBuffer(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value buffer, llvm::ArrayRef<Dim> dims,
                       mlir::Type element);

/// Rewrites the loads and stores of `kernel` and gives it one more argument per allocation, before its last two (the
/// range). What markBuffer made is a buffer. Returns the new arguments; fails after an error at an access that is not
/// understood.
llvm::FailureOr<llvm::SmallVector<Scratch>> flattenBuffers(mlir::func::FuncOp kernel);

} // namespace cameo::schedule

#endif
