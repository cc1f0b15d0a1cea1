#include "passes/Schedule/DoubleMath.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

#include <limits>

using namespace mlir;

namespace cameo::schedule {
namespace {

/// The number of fraction bits of a double, and its exponent bias.
constexpr int64_t fractionBits = 52, exponentBias = 1023;
/// The logarithm of 2: its first 33 bits, so that products with exponents are exact, and the rest.
constexpr double ln2High = 0.693147180369123816490, ln2Low = 1.90821492927058770002e-10;

} // namespace

Value DoubleMath::splat(TypedAttr number, Type type) {
  if (auto vector = dyn_cast<VectorType>(type))
    number = DenseElementsAttr::get(vector, Attribute(number));
  return arith::ConstantOp::create(builder, loc, number);
}
Type DoubleMath::integers() {
  Type i64 = builder.getI64Type();
  if (auto vector = dyn_cast<VectorType>(type))
    return vector.clone(i64);
  return i64;
}
Value DoubleMath::constant(double value) { return splat(builder.getF64FloatAttr(value), type); }
Value DoubleMath::integer(int64_t value) { return splat(builder.getI64IntegerAttr(value), integers()); }
Value DoubleMath::sum(Value a, Value b) { return arith::AddFOp::create(builder, loc, a, b); }
Value DoubleMath::difference(Value a, Value b) { return arith::SubFOp::create(builder, loc, a, b); }
Value DoubleMath::product(Value a, Value b) { return arith::MulFOp::create(builder, loc, a, b); }
Value DoubleMath::quotient(Value a, Value b) { return arith::DivFOp::create(builder, loc, a, b); }
Value DoubleMath::fma(Value a, Value b, Value c) { return math::FmaOp::create(builder, loc, a, b, c); }
Value DoubleMath::compare(Compare predicate, Value a, Value b) {
  return arith::CmpFOp::create(builder, loc, predicate, a, b);
}
Value DoubleMath::magnitude(Value x) { return math::AbsFOp::create(builder, loc, x); }
Value DoubleMath::withSign(Value x, Value sign) { return math::CopySignOp::create(builder, loc, x, sign); }
Value DoubleMath::select(Value condition, Value yes, Value no) {
  return arith::SelectOp::create(builder, loc, condition, yes, no);
}

Value DoubleMath::series(Value x, ArrayRef<double> coefficients) {
  Value total = constant(coefficients.back());
  for (double coefficient : llvm::reverse(coefficients.drop_back()))
    total = fma(total, x, constant(coefficient));
  return total;
}

Value DoubleMath::powerOfTwo(Value k) {
  Value biased = arith::AddIOp::create(builder, loc, k, integer(exponentBias));
  return arith::BitcastOp::create(builder, loc, type,
                                  arith::ShLIOp::create(builder, loc, biased, integer(fractionBits)));
}

/// x = k ln 2 + r. 2^k is applied as two factors, because it may not be a normal number.
Value DoubleMath::exp(Value x) {
  Value isNan = compare(Compare::UNO, x, x);
  Value inside = select(compare(Compare::OLT, x, constant(710)), x, constant(710));
  inside = select(compare(Compare::OGT, inside, constant(-746)), inside, constant(-746));
  Value count = math::RoundEvenOp::create(builder, loc, product(inside, constant(1.44269504088896340736)));
  Value r = fma(count, constant(-ln2High), inside);
  r = fma(count, constant(-ln2Low), r);
  Value power = series(r, {1, 1, 1.0 / 2, 1.0 / 6, 1.0 / 24, 1.0 / 120, 1.0 / 720, 1.0 / 5040, 1.0 / 40320,
                           1.0 / 362880, 1.0 / 3628800, 1.0 / 39916800, 1.0 / 479001600, 1.0 / 6227020800});
  Value k = arith::FPToSIOp::create(builder, loc, integers(), count);
  Value half = arith::ShRSIOp::create(builder, loc, k, integer(1)), rest = arith::SubIOp::create(builder, loc, k, half);
  Value scaled = product(product(power, powerOfTwo(half)), powerOfTwo(rest));
  return select(isNan, x, scaled);
}

/// x = 2^k (1 + f) with 1 + f between the square roots of 1/2 and 2; log(1 + f) = 2 artanh(f / (2 + f)).
Value DoubleMath::log(Value x) {
  constexpr int64_t tinyShift = 54, rootOfHalf = 0x3fe6a09e667f3bcd;
  Value isTiny = compare(Compare::OLT, x, constant(std::numeric_limits<double>::min()));
  Value scaled = select(isTiny, product(x, constant(static_cast<double>(int64_t(1) << tinyShift))), x);
  Value bits = arith::BitcastOp::create(builder, loc, integers(), scaled);
  Value k = arith::ShRSIOp::create(builder, loc, arith::SubIOp::create(builder, loc, bits, integer(rootOfHalf)),
                                   integer(fractionBits));
  Value mantissa = arith::BitcastOp::create(
      builder, loc, type,
      arith::SubIOp::create(builder, loc, bits, arith::ShLIOp::create(builder, loc, k, integer(fractionBits))));
  Value exponent = arith::SIToFPOp::create(builder, loc, type, k);
  exponent = difference(exponent, select(isTiny, constant(tinyShift), constant(0)));
  Value f = difference(mantissa, constant(1));
  Value s = quotient(f, sum(f, constant(2)));
  Value square = product(s, s);
  Value curved = series(
      square, {0, 2.0 / 3, 2.0 / 5, 2.0 / 7, 2.0 / 9, 2.0 / 11, 2.0 / 13, 2.0 / 15, 2.0 / 17, 2.0 / 19, 2.0 / 21});
  // 2s = f - s f.
  Value small = difference(f, product(s, difference(f, curved)));
  Value low = fma(exponent, constant(ln2Low), small);
  Value result = fma(exponent, constant(ln2High), low);
  Value other = select(compare(Compare::OLT, x, constant(0)), constant(notANumber), x);
  other = select(compare(Compare::OEQ, x, constant(0)), constant(-infinity), other);
  Value isUsual = arith::AndIOp::create(builder, loc, compare(Compare::OGT, x, constant(0)),
                                        compare(Compare::OLT, x, constant(infinity)));
  return select(isUsual, result, other);
}

/// Reduces x by quarter turns, represented as a sum of three parts.
Value DoubleMath::circular(Value x, int64_t quarters) {
  Value count = math::RoundEvenOp::create(builder, loc, product(x, constant(0.63661977236758134308)));
  Value r = x;
  for (double part : {1.57079632679489655800, 6.12323399573676603587e-17, -1.49738490485918336480e-33})
    r = fma(count, constant(-part), r);
  Value square = product(r, r);
  Value curved = series(square, {-1.0 / 6, 1.0 / 120, -1.0 / 5040, 1.0 / 362880, -1.0 / 39916800, 1.0 / 6227020800,
                                 -1.0 / 1307674368000, 1.0 / 355687428096000});
  Value sine = fma(product(square, r), curved, r);
  Value cosine = series(square, {1, -1.0 / 2, 1.0 / 24, -1.0 / 720, 1.0 / 40320, -1.0 / 3628800, 1.0 / 479001600,
                                 -1.0 / 87178291200, 1.0 / 20922789888000});
  // A quotient that no integer holds comes from an infinite x, or from one whose sine is meaningless.
  Value isCounted = compare(Compare::OLT, magnitude(count), constant(4611686018427387904.0));
  Value quadrant = arith::FPToSIOp::create(builder, loc, integers(), select(isCounted, count, constant(0)));
  quadrant = arith::AddIOp::create(builder, loc, quadrant, integer(quarters));
  auto hasBit = [&](int64_t bit) -> Value {
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne,
                                 arith::AndIOp::create(builder, loc, quadrant, integer(bit)), integer(0));
  };
  Value result = select(hasBit(1), cosine, sine);
  return select(hasBit(2), arith::NegFOp::create(builder, loc, result), result);
}

/// Computes the power by squaring, and the reciprocal for a negative exponent; only the low 7 bits of the magnitude are
/// used.
Value DoubleMath::integerPower(Value x, Value exponent) {
  constexpr int bitCount = 7;
  Value isNegative = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, exponent, integer(0));
  Value count = select(isNegative, arith::SubIOp::create(builder, loc, integer(0), exponent), exponent),
        power = constant(1), square = x;
  for (int bit = 0; bit < bitCount; ++bit) {
    Value has =
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne,
                              arith::AndIOp::create(builder, loc, count, integer(int64_t(1) << bit)), integer(0));
    power = select(has, product(power, square), power);
    square = product(square, square);
  }
  return select(isNegative, quotient(constant(1), power), power);
}

/// As Cody, "Rational Chebyshev approximations for the error function" (1969): a quotient of polynomials of x^2 up to
/// 0.46875, and of x times the exponential of -x^2 beyond, which is far below a unit in the last place from 4 on.
Value DoubleMath::erf(Value x) {
  Value size = magnitude(x), square = product(x, x);
  Value small = quotient(series(square, {3.20937758913846947e03, 3.77485237685302021e02, 1.13864154151050156e02,
                                         3.16112374387056560e00, 1.85777706184603153e-1}),
                         series(square, {2.84423683343917062e03, 1.28261652607737228e03, 2.44024637934444173e02,
                                         2.36012909523441209e01, 1}));
  Value limited = select(compare(Compare::OLT, size, constant(6)), size, constant(6));
  Value rest = quotient(series(limited, {1.23033935479799725e03, 2.05107837782607147e03, 1.71204761263407058e03,
                                         8.81952221241769090e02, 2.98635138197400131e02, 6.61191906371416295e01,
                                         8.88314979438837594e00, 5.64188496988670089e-1, 2.15311535474403846e-8}),
                        series(limited, {1.23033935480374942e03, 3.43936767414372164e03, 4.36261909014324716e03,
                                         3.29079923573345963e03, 1.62138957456669019e03, 5.37181101862009858e02,
                                         1.17693950891312499e02, 1.57449261107098347e01, 1}));
  rest = product(exp(product(arith::NegFOp::create(builder, loc, limited), limited)), rest);
  Value large = withSign(difference(constant(1), rest), x);
  Value isNan = compare(Compare::UNO, x, x);
  return select(isNan, x, select(compare(Compare::OLE, size, constant(0.46875)), product(x, small), large));
}

Value DoubleMath::pow(Value x, Value y) {
  Value size = magnitude(y);
  Value whole = math::RoundEvenOp::create(builder, loc, y);
  Value isWhole = compare(Compare::OEQ, whole, y);
  Value isFew = arith::AndIOp::create(builder, loc, isWhole, compare(Compare::OLE, size, constant(64)));
  Value exponent = arith::FPToSIOp::create(builder, loc, integers(), select(isFew, y, constant(0)));
  Value few = integerPower(x, exponent);
  Value general = exp(product(y, log(magnitude(x))));
  // A negative base: the sign follows the parity of the exponent, and the result is NaN if the exponent is not an
  // integer.
  Value half = product(y, constant(0.5));
  Value isOdd = arith::AndIOp::create(builder, loc, isWhole,
                                      compare(Compare::ONE, math::RoundEvenOp::create(builder, loc, half), half));
  Value isBelow = compare(Compare::OLT, x, constant(0));
  Value negative =
      select(isOdd, arith::NegFOp::create(builder, loc, general), select(isWhole, general, constant(notANumber)));
  // Powers of an infinite base are always defined, and 1 to any power is 1.
  Value isFinite = compare(Compare::OGT, x, constant(-infinity));
  Value other = select(arith::AndIOp::create(builder, loc, isBelow, isFinite), negative,
                       select(isBelow, select(isOdd, negative, general), general));
  Value isOne = compare(Compare::OEQ, x, constant(1));
  Value isMinusOne = arith::AndIOp::create(builder, loc, compare(Compare::OEQ, x, constant(-1)),
                                           compare(Compare::OEQ, size, constant(infinity)));
  other = select(arith::OrIOp::create(builder, loc, isOne, isMinusOne), constant(1), other);
  return select(isFew, few, other);
}

} // namespace cameo::schedule
