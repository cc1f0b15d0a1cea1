// Loops over tensors for what no map of linalg states: trip counts and places that the data gives.
#ifndef CAMEO_PASSES_LOWER_BUILDERS_LOOPBUILDER_H
#define CAMEO_PASSES_LOWER_BUILDERS_LOOPBUILDER_H

#include "passes/Lower/Builders/GenericBuilder.h"

namespace cameo::lower {

/// A loop from 0 to `end` (an index) that carries values, tensors or numbers. `body` gets the position and what is
/// carried, and gives what is carried on.
Values buildLoop(ScalarBuilder &s, mlir::Value end, mlir::ValueRange carried,
                 llvm::function_ref<Values(ScalarBuilder &, mlir::Value, mlir::ValueRange)> body);

/// Nested loops over a shape: `body` gets the indices of an element.
Values buildLoops(ScalarBuilder &s, ShapeRef shape, mlir::ValueRange carried,
                  llvm::function_ref<Values(ScalarBuilder &, mlir::ValueRange, mlir::ValueRange)> body);

/// Runs `body` where `condition` holds; else what is carried stays as it is.
Values buildWhen(ScalarBuilder &s, mlir::Value condition, mlir::ValueRange carried,
                 llvm::function_ref<Values(ScalarBuilder &, mlir::ValueRange)> body);

/// The tensor with one element replaced.
mlir::Value insertElement(ScalarBuilder &s, mlir::Value element, mlir::Value into, mlir::ValueRange at);
/// The same for an index and a tensor of i64.
mlir::Value insertIndex(ScalarBuilder &s, mlir::Value index, mlir::Value into, mlir::ValueRange at);

} // namespace cameo::lower

#endif
