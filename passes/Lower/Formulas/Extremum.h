// Compares elements for maxima and minima with NaN: shared by positions of extrema and by the selection of the k best.
#ifndef CAMEO_PASSES_LOWER_FORMULAS_EXTREMUM_H
#define CAMEO_PASSES_LOWER_FORMULAS_EXTREMUM_H

#include "passes/Lower/Builders/ScalarBuilder.h"

namespace cameo::lower {

struct Extremum {
  bool isMax = true;
  Sign sign = Sign::Signed;
  /// Whether NaN is better than all numbers, or worse. All NaNs are equal.
  bool prefersNaN = true;

  /// Whether a is better than b.
  mlir::Value isBetter(ScalarBuilder &s, mlir::Value a, mlir::Value b) const;
  /// Whether a is equal to b or better.
  mlir::Value isAsGood(ScalarBuilder &s, mlir::Value a, mlir::Value b) const;
  /// A single comparison that is true wherever a is better; it may also be true if a or b is NaN.
  mlir::Value mayBeBetter(ScalarBuilder &s, mlir::Value a, mlir::Value b) const;
  mlir::Value areEqual(ScalarBuilder &s, mlir::Value a, mlir::Value b) const;
};

} // namespace cameo::lower

#endif
