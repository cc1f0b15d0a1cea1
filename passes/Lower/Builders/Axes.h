// Axes that an operand states, or that the shapes imply, or a choice of, when the operand is known only at run time.
#ifndef CAMEO_PASSES_LOWER_BUILDERS_AXES_H
#define CAMEO_PASSES_LOWER_BUILDERS_AXES_H

#include "passes/Lower/Builders/GenericBuilder.h"

#include <optional>

namespace cameo::lower {

/// All elements of an operand of integers known at compile time, none for an absent one; nothing when they are not
/// known.
std::optional<Ints> knownInts(mlir::Value onnxOperand);

/// The axes along which a result of shape `to` has lost the extents of `from`, or nothing when several choices fit.
std::optional<Ints> inferReducedAxes(ShapeRef from, ShapeRef to, bool keepDims);

/// What `along` computes for the axis that the run reads from `axis`, one integer: a choice of all candidates, whose
/// results have one type.
mlir::Value alongReadAxis(GenericBuilder &b, mlir::Value axis, int64_t rank, mlir::ArrayRef<int64_t> candidates,
                          llvm::function_ref<mlir::Value(int64_t)> along);

/// 0 ... rank - 1.
Ints allAxes(int64_t rank);
/// first ... rank - 1.
Ints axesFrom(int64_t first, int64_t rank);
/// All axes of an activation but those of the batch and the channels.
Ints spatialAxes(mlir::Value activation, bool channelsLast);

} // namespace cameo::lower

#endif
