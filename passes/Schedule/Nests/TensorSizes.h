// Shapes of the tensors of a task's body, with what the types leave open, and what kernels know them by.
#ifndef CAMEO_PASSES_SCHEDULE_NESTS_TENSORSIZES_H
#define CAMEO_PASSES_SCHEDULE_NESTS_TENSORSIZES_H

#include "dialects/Task/TaskDialect.h"
#include "passes/Schedule/Nests/Size.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace cameo::schedule {

/// Sizes of a tensor whose task.dims attribute, if it has one, names what the type leaves open.
llvm::SmallVector<Dim> dimsOf(mlir::Type type, mlir::Attribute attribute);

/// What `index` is when a task or kernel runs, made from numbers, sizes of the model and dimensions of `shaped` values,
/// which `dimOf` knows; unknown where it is made from anything else.
Dim evaluateIndex(mlir::OpFoldResult index, llvm::function_ref<Dim(mlir::Value shaped, int64_t number)> dimOf);

/// What an index of a task's body is when the task runs; unknown where it is not made from sizes of the model.
Size sizeOf(mlir::OpFoldResult index);

/// The shape of a tensor of a task's body; unknown sizes where they follow from none of the model's.
llvm::SmallVector<Size> shapeOf(mlir::Value tensor);

/// The extents of the loops of `op`.
llvm::SmallVector<Size> loopSizesOf(mlir::linalg::GenericOp op);

/// The number that `size` is in a run, inside of a kernel.
mlir::Value createSize(mlir::OpBuilder &builder, mlir::Location loc, const Size &size);

} // namespace cameo::schedule

#endif
