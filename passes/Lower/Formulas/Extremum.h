// Compares elements for positions of maxima and minima, with NaN.
#ifndef CAMEO_PASSES_LOWER_FORMULAS_EXTREMUM_H
#define CAMEO_PASSES_LOWER_FORMULAS_EXTREMUM_H

#include "passes/Lower/Builders/ScalarBuilder.h"

namespace cameo::lower {

struct Extremum {
  bool isMax = true;
  Sign sign = Sign::Signed;
  /// Whether NaN is better than all numbers, or worse.
  bool prefersNaN = true;

  /// Whether a is better than b. All NaNs are equal.
  mlir::Value isBetter(ScalarBuilder &s, mlir::Value a, mlir::Value b) const;
  /// Whether a is equal to b or better.
  mlir::Value isAsGood(ScalarBuilder &s, mlir::Value a, mlir::Value b) const;
  mlir::Value areEqual(ScalarBuilder &s, mlir::Value a, mlir::Value b) const;
};

} // namespace cameo::lower

#endif
