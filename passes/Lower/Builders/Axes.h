// Finds axes that an operand states or that the shapes imply, or chooses one at run time.
#ifndef CAMEO_PASSES_LOWER_BUILDERS_AXES_H
#define CAMEO_PASSES_LOWER_BUILDERS_AXES_H

#include "passes/Lower/Builders/GenericBuilder.h"

#include <optional>

namespace cameo::lower {

/// Returns all elements of an integer operand that is known at compile time, none for an absent operand; nothing if
/// they are not known.
std::optional<Ints> knownInts(mlir::Value onnxOperand);

/// Returns the axes along which shape `from` is reduced to shape `to`, or nothing if this is ambiguous.
std::optional<Ints> inferReducedAxes(ShapeRef from, ShapeRef to, bool keepDims);

/// Builds a value for an axis that is known at run time only: builds `along` for all candidates, whose results must
/// have one type, and selects the result for the one integer in `axis`.
mlir::Value alongReadAxis(GenericBuilder &b, mlir::Value axis, int64_t rank, mlir::ArrayRef<int64_t> candidates,
                          llvm::function_ref<mlir::Value(int64_t)> along);

/// 0 ... rank - 1.
Ints allAxes(int64_t rank);
/// first ... rank - 1.
Ints axesFrom(int64_t first, int64_t rank);
/// Returns all axes of an activation except those of batch and channels.
Ints spatialAxes(mlir::Value activation, bool channelsLast);

} // namespace cameo::lower

#endif
