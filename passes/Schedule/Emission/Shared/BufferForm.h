// What tasks in buffer form are made of, whoever emits them: flat buffers, tables, a signature of them.
#ifndef CAMEO_PASSES_SCHEDULE_EMISSION_SHARED_BUFFERFORM_H
#define CAMEO_PASSES_SCHEDULE_EMISSION_SHARED_BUFFERFORM_H

#include "dialects/Task/TaskDialect.h"
#include "passes/Schedule/Nests/Size.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace cameo::schedule {

/// The buffer that holds so many elements: one-dimensional, booleans as bytes.
mlir::MemRefType flatBufferType(const Size &elements, mlir::Type elementType);

/// A read-only global beside `def` that holds `values` in order. Its name is that of the task and `number`.
mlir::memref::GlobalOp createTable(mlir::OpBuilder &builder, task::DefOp def, unsigned number,
                                   mlir::DenseElementsAttr values);

/// Row number `index` of `rows`, which lie `apart` elements from each other and have `elements` each.
mlir::Value rowOf(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value rows, mlir::Value index, const Size &apart,
                  const Size &elements);

/// Takes the tensor form of `def` away: its arguments are buffers of `types`, results too, and its body is empty.
mlir::Block &becomeBufferForm(task::DefOp def, llvm::ArrayRef<mlir::Type> types);

/// The dispatch of `kernel` over `extent`.
void createDispatch(mlir::OpBuilder &builder, mlir::Location loc, llvm::StringRef kernel, mlir::ValueRange buffers,
                    const Size &extent);

/// `extent`, and 0 in a run in which `points` is 0. A run without results has nothing to compute, but one of its other
/// sizes may be so large that loops around nothing never end. One size alone cannot be both, so that `extent` stays as
/// it is where fewer than two names make `points`.
Size unlessEmpty(const Size &extent, const Size &points);

} // namespace cameo::schedule

#endif
