// x^y = 2^(y log2 |x|). Intermediate results are float64, so y may be large. Signs and NaN follow C (ISO/IEC 9899:2018,
// F.10.4.4). The coefficients are fitted as those of VectorMath.cpp.
#include "passes/Schedule/VectorMath.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <limits>

using namespace mlir;

namespace cameo::schedule {

/// Powers of two with exponents of larger magnitude are infinite or zero in f32.
constexpr double largestExponent = 200;
/// From here on all floats are even.
constexpr double allEven = 1 << 25;

/// log((1 + s) / (1 - s)) is a series of odd powers of s.
Value VectorMath::wideLog2(Value magnitude) {
  Type f64 = builder.getF64Type();
  auto [exponent, fraction] = splitExponent(magnitude);
  Value f = widened(fraction);
  Value s = arith::DivFOp::create(builder, loc, f, arith::AddFOp::create(builder, loc, f, constant(2, f64)));
  Value square = arith::MulFOp::create(builder, loc, s, s);
  Value series = polynomial(
      square, {2.8853900817900873, 0.9617966733414921, 0.577083584999363, 0.41167271753670603, 0.340730127987406});
  Value log = fma(s, series, widened(exponent));
  Value zero = constant(0), infinity = constant(std::numeric_limits<double>::infinity());
  Value isZero = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OEQ, magnitude, zero);
  Value other =
      arith::SelectOp::create(builder, loc, isZero, constant(-std::numeric_limits<double>::infinity()), magnitude);
  Value isUsual = arith::AndIOp::create(builder, loc, isGreater(magnitude, zero), isGreater(infinity, magnitude));
  return arith::SelectOp::create(builder, loc, isUsual, log, widened(other));
}

Value VectorMath::narrowExp2(Value t) {
  Type f64 = builder.getF64Type();
  Value shift = constant(doubleRoundingShift, f64), limited = atLeast(atMost(t, largestExponent), -largestExponent);
  Value shifted = arith::AddFOp::create(builder, loc, limited, shift);
  Value rest = arith::SubFOp::create(builder, loc, limited, arith::SubFOp::create(builder, loc, shifted, shift));
  Value mantissa = polynomial(rest, {1.0000000005546117, 0.6931472057521962, 0.24022646888339624, 0.05550328744398464,
                                     0.009618489102647095, 0.0013399944420129715, 0.00015345799985027887});
  auto longs = VectorType::get(type.getShape(), builder.getI64Type());
  Value places = arith::ConstantOp::create(builder, loc, DenseElementsAttr::get(longs, builder.getI64IntegerAttr(52)));
  Value exponent = arith::ShLIOp::create(builder, loc, arith::BitcastOp::create(builder, loc, longs, shifted), places);
  Value sum = arith::AddIOp::create(builder, loc, arith::BitcastOp::create(builder, loc, longs, mantissa), exponent);
  Value power =
      arith::TruncFOp::create(builder, loc, type, arith::BitcastOp::create(builder, loc, mantissa.getType(), sum));
  Value isNumber = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::ORD, t, t);
  return arith::SelectOp::create(builder, loc, isNumber, power, constant(std::numeric_limits<double>::quiet_NaN()));
}

Value VectorMath::pow(Value x, Value y) {
  using Predicate = arith::CmpFPredicate;
  auto compare = [&](Predicate predicate, Value a, Value b) -> Value {
    return arith::CmpFOp::create(builder, loc, predicate, a, b);
  };
  auto both = [&](Value a, Value b) -> Value { return arith::AndIOp::create(builder, loc, a, b); };
  auto either = [&](Value a, Value b) -> Value { return arith::OrIOp::create(builder, loc, a, b); };
  auto select = [&](Value condition, Value a, Value b) -> Value {
    return arith::SelectOp::create(builder, loc, condition, a, b);
  };
  Value zero = constant(0), one = constant(1), infinity = constant(std::numeric_limits<double>::infinity());
  Value a = magnitude(x);
  Value power = narrowExp2(arith::MulFOp::create(builder, loc, widened(y), wideLog2(a)));

  // 1 to any power is 1, and so is |-1| to any power that is not NaN. Any x to the power of 0 is 1.
  Value isOne =
      either(compare(Predicate::OEQ, x, one), both(compare(Predicate::OEQ, a, one), compare(Predicate::ORD, y, y)));
  power = select(either(isOne, compare(Predicate::OEQ, y, zero)), one, power);

  // Odd powers keep the sign. Negative finite numbers have integer powers only.
  Value limited = select(isGreater(constant(allEven), magnitude(y)), y, zero);
  Value whole = arith::FPToSIOp::create(builder, loc, cast<VectorType>(asBits(y).getType()), limited);
  Value rounded = arith::SIToFPOp::create(builder, loc, type, whole);
  Value lowest = arith::AndIOp::create(builder, loc, whole, bits(1));
  Value isOdd = both(compare(Predicate::OEQ, rounded, limited),
                     arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, lowest, bits(0)));
  Value sign = arith::AndIOp::create(builder, loc, asBits(x), bits(std::numeric_limits<int32_t>::min()));
  power = asFloat(arith::OrIOp::create(builder, loc, asBits(power), select(isOdd, sign, bits(0))));
  Value hasNone = both(both(isGreater(zero, x), isGreater(infinity, a)), compare(Predicate::ONE, rounded, limited));
  return select(hasNone, constant(std::numeric_limits<double>::quiet_NaN()), power);
}

} // namespace cameo::schedule
