// Shapes of the tensors of a task's body, including dynamic sizes, and the values that kernels use for them.
#ifndef CAMEO_PASSES_SCHEDULE_NESTS_TENSORSIZES_H
#define CAMEO_PASSES_SCHEDULE_NESTS_TENSORSIZES_H

#include "dialects/Task/TaskDialect.h"
#include "passes/Schedule/Nests/Size.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace cameo::schedule {

/// Returns the sizes of a tensor. `attribute`, if it is a task.dims attribute, names the dynamic ones.
llvm::SmallVector<Dim> dimsOf(mlir::Type type, mlir::Attribute attribute);

/// Returns the value of `index` at run time as an expression over numbers, sizes of the model and dimensions of
/// `shaped` values, which `dimOf` returns. Unknown if `index` depends on anything else.
Dim evaluateIndex(mlir::OpFoldResult index, llvm::function_ref<Dim(mlir::Value shaped, int64_t number)> dimOf);

/// Returns the value of an index of a task's body at run time; unknown if it is not computed from sizes of the model.
Size sizeOf(mlir::OpFoldResult index);
llvm::SmallVector<Size> sizesOf(llvm::ArrayRef<mlir::OpFoldResult> indices);

/// Returns the shape of a tensor of a task's body; a size that does not follow from the sizes of the model is unknown.
llvm::SmallVector<Size> shapeOf(mlir::Value tensor);

/// Returns the extents of the loops of `op`.
llvm::SmallVector<Size> loopSizesOf(mlir::linalg::GenericOp op);

/// Creates the value of `size` inside of a kernel.
mlir::Value createSize(mlir::OpBuilder &builder, mlir::Location loc, const Size &size);

} // namespace cameo::schedule

#endif
