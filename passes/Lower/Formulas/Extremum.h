// Which of two elements is the greatest or the least one, NaN included: what positions of extrema and the selection of
// several have in common.
#ifndef CAMEO_PASSES_LOWER_FORMULAS_EXTREMUM_H
#define CAMEO_PASSES_LOWER_FORMULAS_EXTREMUM_H

#include "passes/Lower/Builders/ScalarBuilder.h"

namespace cameo::lower {

struct Extremum {
  bool isMax = true;
  Sign sign = Sign::Signed;
  /// Whether NaN is better than all numbers, or worse. Two of them are equal.
  bool prefersNaN = true;

  /// Whether a is better than b.
  mlir::Value isBetter(ScalarBuilder &s, mlir::Value a, mlir::Value b) const;
  /// Whether a is b, or better.
  mlir::Value isAsGood(ScalarBuilder &s, mlir::Value a, mlir::Value b) const;
  /// One comparison, which holds wherever a is better, and may hold where one of the two is NaN.
  mlir::Value mayBeBetter(ScalarBuilder &s, mlir::Value a, mlir::Value b) const;
  mlir::Value areEqual(ScalarBuilder &s, mlir::Value a, mlir::Value b) const;
};

} // namespace cameo::lower

#endif
