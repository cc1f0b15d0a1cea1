// Finds extrema along an axis and where they are: a reduction that carries the value and its index (ArgMax, TopK of one
// element).
#ifndef CAMEO_PASSES_LOWER_FORMULAS_FINDEXTREMUM_H
#define CAMEO_PASSES_LOWER_FORMULAS_FINDEXTREMUM_H

#include "passes/Lower/Builders/GenericBuilder.h"
#include "passes/Lower/Formulas/Extremum.h"

namespace cameo::lower {

/// The best elements and their indices (i64), in tensors of one shape.
struct Found {
  mlir::Value value, index;
};

/// Which of the best elements counts.
struct Choice {
  Extremum extremum;
  bool takesLast = false;

  /// Whether an element replaces the best one, which has a lower index.
  mlir::Value replaces(ScalarBuilder &s, mlir::Value element, mlir::Value best) const {
    return takesLast ? extremum.isAsGood(s, element, best) : extremum.isBetter(s, element, best);
  }
};

/// Returns the extremum along the axis, which is kept with size 1.
Found findExtremum(GenericBuilder &b, mlir::Value data, int64_t axis, const Choice &choice);

} // namespace cameo::lower

#endif
