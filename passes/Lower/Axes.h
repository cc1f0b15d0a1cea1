// Axes that an operand states, or that the shapes imply when the operand is known only at run time.
#ifndef CAMEO_PASSES_LOWER_AXES_H
#define CAMEO_PASSES_LOWER_AXES_H

#include "passes/Lower/GenericBuilder.h"

#include <optional>

namespace cameo::lower {

/// All elements of an operand of integers known at compile time, none for an absent one; nothing when they are not known.
std::optional<Ints> knownInts(mlir::Value onnxOperand);

/// The axes along which a result of shape `to` has lost the extents of `from`, or nothing when several choices fit.
std::optional<Ints> inferReducedAxes(ShapeRef from, ShapeRef to, bool keepDims);

/// 0 ... rank - 1.
Ints allAxes(int64_t rank);

} // namespace cameo::lower

#endif
