// Inverse trigonometric functions of float64, from a series of the arc tangent.
#include "passes/Schedule/DoubleMath.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace cameo::schedule {

/// Half of pi: the nearest double, and the remainder.
constexpr double halfPiHigh = 1.57079632679489655800, halfPiLow = 6.12323399573676603587e-17;

Value DoubleMath::tan(Value x) { return quotient(sin(x), cos(x)); }

/// For |x| > 1 it subtracts the arc tangent of the reciprocal from pi/2. Beyond tan(pi/8) it adds the arc tangent of (t
/// - 1) / (t + 1) to pi/4.
Value DoubleMath::atan(Value x) {
  Value size = magnitude(x);
  Value isSteep = compare(Compare::OGT, size, constant(1));
  Value t = select(isSteep, quotient(constant(1), size), size);
  Value isMiddle = compare(Compare::OGT, t, constant(0.41421356237309504880));
  Value reduced = select(isMiddle, quotient(difference(t, constant(1)), sum(t, constant(1))), t);
  Value square = product(reduced, reduced);
  llvm::SmallVector<double, 22> coefficients;
  for (int power = 3, sign = -1; power < 47; power += 2, sign = -sign)
    coefficients.push_back(static_cast<double>(sign) / power);
  Value rest = product(product(square, reduced), series(square, coefficients));
  Value low = sum(rest, select(isMiddle, constant(halfPiLow / 2), constant(0)));
  Value angle = sum(select(isMiddle, constant(halfPiHigh / 2), constant(0)), sum(reduced, low));
  Value steep = sum(difference(constant(halfPiHigh), angle), constant(halfPiLow));
  return withSign(select(isSteep, steep, angle), x);
}

/// The factors 1 - x and 1 + x avoid the cancellation in 1 - x^2.
Value DoubleMath::asin(Value x) {
  Value square = product(difference(constant(1), x), sum(constant(1), x));
  return atan(quotient(x, math::SqrtOp::create(builder, loc, square)));
}

Value DoubleMath::acos(Value x) {
  Value square = quotient(difference(constant(1), x), sum(constant(1), x));
  return product(constant(2), atan(math::SqrtOp::create(builder, loc, square)));
}

} // namespace cameo::schedule
