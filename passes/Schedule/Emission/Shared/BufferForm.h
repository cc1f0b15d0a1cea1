// Builds tasks in buffer form: flat buffers, tables, a signature of them.
#ifndef CAMEO_PASSES_SCHEDULE_EMISSION_SHARED_BUFFERFORM_H
#define CAMEO_PASSES_SCHEDULE_EMISSION_SHARED_BUFFERFORM_H

#include "dialects/Task/TaskDialect.h"
#include "passes/Schedule/Nests/Size.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace cameo::schedule {

/// Returns the type of a one-dimensional buffer with `elements` elements; booleans are stored as bytes.
mlir::MemRefType flatBufferType(const Size &elements, mlir::Type elementType);

/// Creates a read-only global before `def` with the elements of `values`. Its name consists of the task's name and
/// `number`.
mlir::memref::GlobalOp createTable(mlir::OpBuilder &builder, task::DefOp def, unsigned number,
                                   mlir::DenseElementsAttr values);

/// Returns row number `index` of `rows`. Rows have `elements` elements each and a distance of `apart` elements.
mlir::Value rowOf(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value rows, mlir::Value index, const Size &apart,
                  const Size &elements);

/// Converts `def` to buffer form: its arguments are buffers of `types`, including results, and its body is empty.
mlir::Block &becomeBufferForm(task::DefOp def, llvm::ArrayRef<mlir::Type> types);

/// Creates the dispatch of `kernel` over `extent`.
void createDispatch(mlir::OpBuilder &builder, mlir::Location loc, llvm::StringRef kernel, mlir::ValueRange buffers,
                    const Size &extent);

/// Returns `extent`, but 0 in a run in which `points` is 0. A run without results has nothing to compute, but another
/// size may be so large that loops around empty ones never end. A single size cannot be both 0 and large, so `extent`
/// is unchanged if `points` depends on fewer than two names.
Size unlessEmpty(const Size &extent, const Size &points);

} // namespace cameo::schedule

#endif
