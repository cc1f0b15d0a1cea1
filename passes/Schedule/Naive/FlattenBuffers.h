// After bufferisation, a kernel accesses memrefs of any shape, including views of views. Kernels of the task dialect
// take one-dimensional buffers; this rewrites every access to an address in such a buffer.
#ifndef CAMEO_PASSES_SCHEDULE_NAIVE_FLATTENBUFFERS_H
#define CAMEO_PASSES_SCHEDULE_NAIVE_FLATTENBUFFERS_H

#include "dialects/Onnx/DimList.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace cameo::schedule {

/// An allocation of a kernel. `elements` is the number of elements if the type does not state it, else null.
struct Scratch {
  mlir::MemRefType type;
  DimExprAttr elements;
};

/// Marks a flat buffer as a memref with sizes `dims`; dynamic sizes become operands of the mark.
mlir::Value markBuffer(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value buffer, llvm::ArrayRef<Dim> dims,
                       mlir::Type element);

/// Rewrites the loads and stores of `kernel` and adds one argument per allocation before its last two (the range).
/// Results of markBuffer count as buffers. Returns the new arguments; fails with an error at an access that it does not
/// support.
llvm::FailureOr<llvm::SmallVector<Scratch>> flattenBuffers(mlir::func::FuncOp kernel);

} // namespace cameo::schedule

#endif
