// Hyperbolic functions of float64 and their inverses, computed from expm1 and log1p.
#include "passes/Schedule/DoubleMath.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace cameo::schedule {

/// The limit from which adding 1 to the square of a number does not change it.
constexpr double largeNumber = 1 << 28;

/// Uses a series near 0, where e^x - 1 would cancel.
Value DoubleMath::expm1(Value x) {
  Value curved = series(x, {1.0 / 2, 1.0 / 6, 1.0 / 24, 1.0 / 120, 1.0 / 720, 1.0 / 5040, 1.0 / 40320, 1.0 / 362880,
                            1.0 / 3628800, 1.0 / 39916800, 1.0 / 479001600, 1.0 / 6227020800});
  Value small = fma(product(x, x), curved, x);
  Value isSmall = compare(Compare::OLT, magnitude(x), constant(0.35));
  return select(isSmall, small, difference(exp(x), constant(1)));
}

/// The rounding error of 1 + x is corrected by the slope of the logarithm (Kahan).
Value DoubleMath::log1p(Value x) {
  Value near = sum(x, constant(1));
  Value added = difference(near, constant(1));
  Value corrected = product(log(near), quotient(x, added));
  Value isPlain = arith::OrIOp::create(builder, loc, compare(Compare::OEQ, added, constant(0)),
                                       compare(Compare::OEQ, near, constant(infinity)));
  return select(isPlain, x, corrected);
}

Value DoubleMath::sinh(Value x) {
  Value size = magnitude(x);
  Value grown = expm1(size);
  Value usual = product(constant(0.5), sum(grown, quotient(grown, sum(grown, constant(1)))));
  Value root = exp(product(size, constant(0.5)));
  Value large = product(product(root, constant(0.5)), root);
  return withSign(select(compare(Compare::OLT, size, constant(40)), usual, large), x);
}

Value DoubleMath::cosh(Value x) {
  Value size = magnitude(x);
  Value power = exp(size), root = exp(product(size, constant(0.5)));
  Value usual = product(constant(0.5), sum(power, quotient(constant(1), power)));
  Value large = product(product(root, constant(0.5)), root);
  return select(compare(Compare::OLT, size, constant(40)), usual, large);
}

Value DoubleMath::tanh(Value x) {
  Value size = magnitude(x);
  Value isLarge = compare(Compare::OGT, size, constant(22));
  Value grown = expm1(product(select(isLarge, constant(22), size), constant(2)));
  return withSign(quotient(grown, sum(grown, constant(2))), x);
}

Value DoubleMath::asinh(Value x) {
  Value size = magnitude(x), square = product(x, x);
  Value root = math::SqrtOp::create(builder, loc, sum(square, constant(1)));
  Value usual = log1p(sum(size, quotient(square, sum(root, constant(1)))));
  Value large = sum(log(size), constant(0.693147180559945309));
  return withSign(select(compare(Compare::OLT, size, constant(largeNumber)), usual, large), x);
}

Value DoubleMath::acosh(Value x) {
  Value above = difference(x, constant(1));
  Value root = math::SqrtOp::create(builder, loc, product(above, sum(above, constant(2))));
  Value usual = log1p(sum(above, root));
  Value large = sum(log(x), constant(0.693147180559945309));
  Value result = select(compare(Compare::OLT, x, constant(largeNumber)), usual, large);
  Value isBelow = compare(Compare::OLT, x, constant(1));
  return select(isBelow, constant(notANumber), result);
}

Value DoubleMath::atanh(Value x) {
  Value size = magnitude(x);
  Value half = log1p(quotient(product(size, constant(2)), difference(constant(1), size)));
  return withSign(product(half, constant(0.5)), x);
}

} // namespace cameo::schedule
