// Hyperbolic functions and their inverses, computed from exponentials and logarithms.
#include "passes/Schedule/VectorMath.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

#include <limits>

using namespace mlir;

namespace cameo::schedule {

constexpr double ln2 = 0.69314718055994531;
/// From here on, adding 1 to the square of a number or subtracting 1 from it does not change the result.
constexpr double largeArgument = 4096;

/// (e^2|x| - 1) / (e^2|x| + 1), the numerator without cancellation.
Value VectorMath::tanh(Value x) {
  Value doubled = magnitude(arith::AddFOp::create(builder, loc, x, x));
  Reduced reduced = reduceExp(atMost(doubled, 18.5), exponentBias);
  Value scale = asFloat(reduced.shifted);
  Value numerator = fma(scale, risingPart(reduced.rest), arith::SubFOp::create(builder, loc, scale, constant(1)));
  Value denominator = arith::AddFOp::create(builder, loc, numerator, constant(2));
  return withSign(quotient(numerator, denominator), x);
}

/// Half of e^|x| is finite for every x for which sinh and cosh are.
VectorMath::Halves VectorMath::halvesOfExp(Value x) {
  Reduced reduced = reduceExp(atMost(magnitude(x), 89.5), exponentBias - 2);
  Value quarter = asFloat(reduced.shifted);
  quarter = fma(quarter, risingPart(reduced.rest), quarter);
  Value rising = arith::AddFOp::create(builder, loc, quarter, quarter);
  return {rising, arith::DivFOp::create(builder, loc, constant(0.25), rising)};
}

/// Below 1 it is a polynomial, where the difference of the halves would cancel.
Value VectorMath::sinh(Value x) {
  auto [rising, falling] = halvesOfExp(x);
  Value large = withSign(arith::SubFOp::create(builder, loc, rising, falling), x);
  Value square = arith::MulFOp::create(builder, loc, x, x);
  Value cube = arith::MulFOp::create(builder, loc, square, x);
  Value small = fma(
      cube,
      polynomial(square, {0.1666666649749355, 0.008333350063180462, 0.00019836158755472117, 2.81695737501551e-06}), x);
  return arith::SelectOp::create(builder, loc, isGreater(constant(1), magnitude(x)), small, large);
}

Value VectorMath::cosh(Value x) {
  auto [rising, falling] = halvesOfExp(x);
  return arith::AddFOp::create(builder, loc, rising, falling);
}

/// log(|x| + sqrt(x^2 + 1)), computed as log1p because |x| may be small.
Value VectorMath::asinh(Value x) {
  Value a = magnitude(x), one = constant(1);
  Value isLarge = isGreater(a, constant(largeArgument));
  Value limited = arith::SelectOp::create(builder, loc, isLarge, one, a);
  Value square = arith::MulFOp::create(builder, loc, limited, limited);
  Value root = math::SqrtOp::create(builder, loc, arith::AddFOp::create(builder, loc, square, one));
  Value part = arith::DivFOp::create(builder, loc, square, arith::AddFOp::create(builder, loc, root, one));
  return withSign(logOfSum(arith::AddFOp::create(builder, loc, limited, part), isLarge, a), x);
}

/// log(x + sqrt(x^2 - 1)), computed as log1p of the argument minus 1.
Value VectorMath::acosh(Value x) {
  Value one = constant(1);
  Value isLarge = isGreater(x, constant(largeArgument));
  Value more = arith::SelectOp::create(builder, loc, isLarge, one, arith::SubFOp::create(builder, loc, x, one));
  Value root = math::SqrtOp::create(
      builder, loc, arith::MulFOp::create(builder, loc, more, arith::AddFOp::create(builder, loc, more, constant(2))));
  Value result = logOfSum(arith::AddFOp::create(builder, loc, more, root), isLarge, x);
  return arith::SelectOp::create(builder, loc, isGreater(one, x), constant(std::numeric_limits<double>::quiet_NaN()),
                                 result);
}

Value VectorMath::logOfSum(Value more, Value isLarge, Value half) {
  auto [sum, correction] = onePlus(more);
  Value logarithm = log(arith::SelectOp::create(builder, loc, isLarge, half, sum));
  return arith::AddFOp::create(builder, loc, logarithm,
                               arith::SelectOp::create(builder, loc, isLarge, constant(ln2), correction));
}

/// Half of log((1 + x) / (1 - x)).
Value VectorMath::atanh(Value x) {
  Value a = magnitude(x), one = constant(1);
  Value ratio = arith::DivFOp::create(builder, loc, arith::AddFOp::create(builder, loc, a, a),
                                      arith::SubFOp::create(builder, loc, one, a));
  Value result = withSign(arith::MulFOp::create(builder, loc, log1p(ratio), constant(0.5)), x);
  return arith::SelectOp::create(builder, loc, isGreater(a, one), constant(std::numeric_limits<double>::quiet_NaN()),
                                 result);
}

} // namespace cameo::schedule
