// Builds loops over tensors for computations that no linalg map describes: trip counts and indices depend on data.
#ifndef CAMEO_PASSES_LOWER_BUILDERS_LOOPBUILDER_H
#define CAMEO_PASSES_LOWER_BUILDERS_LOOPBUILDER_H

#include "passes/Lower/Builders/GenericBuilder.h"

namespace cameo::lower {

/// Builds a loop from 0 to `end` (an index) with loop-carried values, tensors or scalars. `body` gets the induction
/// variable and the carried values, and returns their next values.
Values buildLoop(ScalarBuilder &s, mlir::Value end, mlir::ValueRange carried,
                 llvm::function_ref<Values(ScalarBuilder &, mlir::Value, mlir::ValueRange)> body);

/// Builds nested loops over a shape. `body` gets the indices of an element. In a run in which the shape has no elements
/// they end at once, however large its other sizes are.
Values buildLoops(ScalarBuilder &s, ShapeRef shape, mlir::ValueRange carried,
                  llvm::function_ref<Values(ScalarBuilder &, mlir::ValueRange, mlir::ValueRange)> body);

/// Runs `body` if `condition` holds; otherwise the carried values do not change.
Values buildWhen(ScalarBuilder &s, mlir::Value condition, mlir::ValueRange carried,
                 llvm::function_ref<Values(ScalarBuilder &, mlir::ValueRange)> body);

/// Returns the tensor with one element replaced.
mlir::Value insertElement(ScalarBuilder &s, mlir::Value element, mlir::Value into, mlir::ValueRange at);
/// As `insertElement`, for an index that is stored in a tensor of i64.
mlir::Value insertIndex(ScalarBuilder &s, mlir::Value index, mlir::Value into, mlir::ValueRange at);

} // namespace cameo::lower

#endif
