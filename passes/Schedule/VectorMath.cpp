// Reductions as in Cody and Waite, "Software Manual for the Elementary Functions" (1980); the coefficients are weighted least
// squares fits, iterated until the error is level (Lawson's method).
#include "passes/Schedule/VectorMath.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <limits>

using namespace mlir;

namespace cameo::schedule {

/// Added to a float of small magnitude, leaves the nearest integer in the low bits.
constexpr double roundingShift = 12582912.0;          // 1.5 * 2^23
/// Of a float's exponent field.
constexpr int64_t exponentBias = 127;
constexpr double doubleRoundingShift = 6755399441055744.0; // 1.5 * 2^52

Value VectorMath::constant(double value, Type element) {
  auto vector = VectorType::get(type.getShape(), element);
  return arith::ConstantOp::create(builder, loc, DenseElementsAttr::get(vector, builder.getFloatAttr(element, value)));
}

Value VectorMath::bits(int64_t value) {
  auto vector = VectorType::get(type.getShape(), builder.getI32Type());
  return arith::ConstantOp::create(builder, loc, DenseElementsAttr::get(vector, builder.getI32IntegerAttr(value)));
}

Value VectorMath::fma(Value a, Value b, Value c) {
  if (hasFma)
    return math::FmaOp::create(builder, loc, a, b, c);
  return arith::AddFOp::create(builder, loc, arith::MulFOp::create(builder, loc, a, b), c);
}

Value VectorMath::polynomial(Value x, ArrayRef<double> coefficients) {
  Value sum = constant(coefficients.back());
  for (double coefficient : llvm::reverse(coefficients.drop_back()))
    sum = fma(sum, x, constant(coefficient));
  return sum;
}

Value VectorMath::quotient(Value a, Value b) {
  auto division = arith::DivFOp::create(builder, loc, a, b);
  division.setFastmath(arith::FastMathFlags::arcp | arith::FastMathFlags::ninf | arith::FastMathFlags::contract);
  return division;
}

Value VectorMath::asBits(Value x) {
  return arith::BitcastOp::create(builder, loc, VectorType::get(type.getShape(), builder.getI32Type()), x);
}

Value VectorMath::asFloat(Value x) { return arith::BitcastOp::create(builder, loc, type, x); }

Value VectorMath::magnitude(Value x) { return math::AbsFOp::create(builder, loc, x); }

Value VectorMath::withSign(Value magnitude, Value sign) {
  return math::CopySignOp::create(builder, loc, magnitude, sign);
}

Value VectorMath::isGreater(Value a, Value b) {
  return arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OGT, a, b);
}

VectorMath::Reduced VectorMath::reduceExp(Value x, int64_t bias, int sign) {
  Value shift = constant(roundingShift + bias);
  Value shifted = fma(x, constant(sign * 1.44269504088896341), shift);
  Value exponent = arith::SubFOp::create(builder, loc, shifted, shift);
  // ln 2 in two parts, the first of nine bits: its product with an exponent is exact.
  Value rest = fma(exponent, constant(-sign * 0.693359375), x);
  rest = fma(exponent, constant(sign * 2.12194440054690583e-4), rest);
  return {arith::ShLIOp::create(builder, loc, asBits(shifted), bits(23)), rest};
}

Value VectorMath::normalExp(Value x) {
  Reduced reduced = reduceExp(x);
  Value r = reduced.rest;
  Value curved = polynomial(r, {0.49999993, 0.1666652, 0.04166839, 0.00836878, 0.00138145});
  Value mantissa = fma(arith::MulFOp::create(builder, loc, r, r), curved, r);
  mantissa = arith::AddFOp::create(builder, loc, mantissa, constant(1));
  return asFloat(arith::AddIOp::create(builder, loc, asBits(mantissa), reduced.shifted));
}

Value VectorMath::exp(Value x) {
  Value result = normalExp(x);
  // Where that is no normal number: too large or NaN, too small.
  Value fits = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OLE, x, constant(88.72283));
  Value large = arith::AddFOp::create(builder, loc, x, constant(std::numeric_limits<double>::infinity()));
  result = arith::SelectOp::create(builder, loc, fits, result, large);
  return arith::SelectOp::create(builder, loc, isGreater(constant(-87.33654), x), constant(0), result);
}

/// The exponential's last steps are those of the sum.
Value VectorMath::logisticDivisor(Value x) {
  Value limit = constant(87);
  Value limited = arith::SelectOp::create(builder, loc, isGreater(x, limit), limit, x);
  Reduced reduced = reduceExp(limited, exponentBias, /*sign=*/-1);
  Value mantissa = polynomial(reduced.rest, {1, -0.999999706307481, 0.49999147823894935, -0.16667638131074725, 0.04189816197036838,
                                             -0.008290273080940963});
  return fma(asFloat(reduced.shifted), mantissa, constant(1));
}

/// x = 2^k (1 + f) with 1 + f between the square roots of 1/2 and 2.
Value VectorMath::log(Value x) {
  Value zero = constant(0), infinity = constant(std::numeric_limits<double>::infinity());
  // Subnormal numbers have no exponent of their own.
  Value isTiny = isGreater(constant(std::numeric_limits<float>::min()), x);
  Value scaled = arith::SelectOp::create(builder, loc, isTiny, arith::MulFOp::create(builder, loc, x, constant(1 << 23)), x);
  Value offset = arith::SubIOp::create(builder, loc, asBits(scaled), bits(0x3f3504f3));
  Value k = arith::ShRSIOp::create(builder, loc, offset, bits(23));
  Value mantissa = arith::SubIOp::create(builder, loc, asBits(scaled), arith::ShLIOp::create(builder, loc, k, bits(23)));
  Value f = arith::SubFOp::create(builder, loc, asFloat(mantissa), constant(1));
  Value exponent = arith::SIToFPOp::create(builder, loc, type, k);
  exponent = arith::AddFOp::create(builder, loc, exponent, arith::SelectOp::create(builder, loc, isTiny, constant(-23), zero));
  Value square = arith::MulFOp::create(builder, loc, f, f);
  Value curved = polynomial(f, {0.33333312547003213, -0.2500000954564142, 0.2000212305085879, -0.16668002894691095, 0.14219459900527107,
                                -0.12405387872988999, 0.11888692975895426, -0.11677208483396706, 0.06747352895901818});
  Value sum = arith::MulFOp::create(builder, loc, arith::MulFOp::create(builder, loc, square, f), curved);
  sum = fma(exponent, constant(-2.12194440054690583e-4), sum);
  sum = fma(square, constant(-0.5), sum);
  sum = arith::AddFOp::create(builder, loc, sum, f);
  sum = fma(exponent, constant(0.693359375), sum);
  Value other = arith::SelectOp::create(builder, loc, isGreater(zero, x), constant(std::numeric_limits<double>::quiet_NaN()), x);
  Value isZero = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OEQ, x, zero);
  other = arith::SelectOp::create(builder, loc, isZero, constant(-std::numeric_limits<double>::infinity()), other);
  Value isUsual = arith::AndIOp::create(builder, loc, isGreater(x, zero), isGreater(infinity, x));
  return arith::SelectOp::create(builder, loc, isUsual, sum, other);
}

/// (e^2|x| - 1) / (e^2|x| + 1), the numerator without cancellation.
Value VectorMath::tanh(Value x) {
  Value doubled = magnitude(arith::AddFOp::create(builder, loc, x, x));
  Value limit = constant(18.5);
  doubled = arith::SelectOp::create(builder, loc, isGreater(doubled, limit), limit, doubled);
  Reduced reduced = reduceExp(doubled, exponentBias);
  Value r = reduced.rest;
  Value curved = polynomial(r, {0.5, 0.166666664, 0.0416663598, 0.00833338957, 0.00139407201, 0.000198458852});
  Value small = fma(arith::MulFOp::create(builder, loc, r, r), curved, r);
  Value scale = asFloat(reduced.shifted);
  Value numerator = fma(scale, small, arith::SubFOp::create(builder, loc, scale, constant(1)));
  Value denominator = arith::AddFOp::create(builder, loc, numerator, constant(2));
  return withSign(quotient(numerator, denominator), x);
}

/// A polynomial below one; above, 1 - e^-f with a polynomial f, up to where that is one.
Value VectorMath::erf(Value x) {
  Value a = magnitude(x);
  Value square = arith::MulFOp::create(builder, loc, x, x);
  Value small = fma(x, polynomial(square, {0.12837916572669886, -0.37612625824192797, 0.1128358514825199, -0.0268538119218487,
                                           0.005188327661971995, -0.0008010193426409978, 7.853860719494737e-05}),
                    x);
  Value limit = constant(4);
  Value limited = arith::SelectOp::create(builder, loc, isGreater(a, limit), limit, a);
  Value exponent = polynomial(limited, {-0.00034152229749752346, -1.1270891932325395, -0.6381448274752344, -0.10310675937495649,
                                        0.021838066385455313, -0.0029476589151188446, 0.00018637925589306542});
  Value large = withSign(arith::SubFOp::create(builder, loc, constant(1), normalExp(exponent)), x);
  return arith::SelectOp::create(builder, loc, isGreater(a, constant(1)), large, small);
}

/// Reduced in float64, which leaves nothing to correct for arguments below 2^20.
Value VectorMath::reducedSinOrCos(Value x, bool isCos) {
  Type f64 = builder.getF64Type();
  auto wide = VectorType::get(type.getShape(), f64);
  Value exact = arith::ExtFOp::create(builder, loc, wide, x);
  Value shift = constant(doubleRoundingShift, f64);
  Value quarters = fma(exact, constant(0.63661977236758134308, f64), shift);
  Value count = arith::SubFOp::create(builder, loc, quarters, shift);
  // Half of pi in two parts, the first of 33 bits.
  Value rest = fma(count, constant(-1.57079632673412561417, f64), exact);
  rest = fma(count, constant(-6.07710050650619224932e-11, f64), rest);
  Value r = arith::TruncFOp::create(builder, loc, type, rest);
  auto longs = VectorType::get(type.getShape(), builder.getI64Type());
  Value quadrant = arith::TruncIOp::create(builder, loc, VectorType::get(type.getShape(), builder.getI32Type()),
                                           arith::BitcastOp::create(builder, loc, longs, quarters));
  if (isCos)
    quadrant = arith::AddIOp::create(builder, loc, quadrant, bits(1));
  Value square = arith::MulFOp::create(builder, loc, r, r);
  Value cube = arith::MulFOp::create(builder, loc, square, r);
  Value sine = fma(cube, polynomial(square, {-0.16666666640775757, 0.00833332930237302, -0.00019839311474451816, 2.718114034811774e-06}), r);
  Value cosine = fma(arith::MulFOp::create(builder, loc, square, square),
                     polynomial(square, {0.04166664567010649, -0.0013887315614460002, 2.443308248460623e-05}),
                     fma(square, constant(-0.5), constant(1)));
  Value one = bits(1);
  Value isOdd = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                      arith::AndIOp::create(builder, loc, quadrant, one), one);
  Value result = arith::SelectOp::create(builder, loc, isOdd, cosine, sine);
  // The second bit of the quadrant is the sign.
  Value sign = arith::ShLIOp::create(builder, loc, arith::AndIOp::create(builder, loc, quadrant, bits(2)), bits(30));
  return asFloat(arith::XOrIOp::create(builder, loc, asBits(result), sign));
}

Value VectorMath::sinOrCos(Value x, bool isCos) {
  Value beyond = isGreater(magnitude(x), constant(1 << 20));
  Value any = vector::ReductionOp::create(builder, loc, vector::CombiningKind::OR, beyond);
  auto branch = scf::IfOp::create(builder, loc, TypeRange(type), any, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  SmallVector<Value> lanes;
  for (int64_t lane = 0; lane < type.getNumElements(); ++lane) {
    Value element = vector::ExtractOp::create(builder, loc, x, lane);
    lanes.push_back(isCos ? math::CosOp::create(builder, loc, element).getResult()
                          : math::SinOp::create(builder, loc, element).getResult());
  }
  scf::YieldOp::create(builder, loc, vector::FromElementsOp::create(builder, loc, type, lanes).getResult());
  builder.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(builder, loc, reducedSinOrCos(x, isCos));
  return branch.getResult(0);
}

/// Of 1/|x| where |x| > 1, whose angle is the rest to a quarter turn.
Value VectorMath::atan(Value x) {
  Value a = magnitude(x), one = constant(1);
  Value isLarge = isGreater(a, one);
  Value z = arith::SelectOp::create(builder, loc, isLarge, arith::DivFOp::create(builder, loc, one, a), a);
  Value square = arith::MulFOp::create(builder, loc, z, z);
  Value cube = arith::MulFOp::create(builder, loc, square, z);
  Value angle = fma(cube, polynomial(square, {-0.3333332689951352, 0.19999671121747456, -0.14279833038129566, 0.11058223603956524,
                                              -0.08811091118795741, 0.06741596628853501, -0.0446899353555897, 0.02253986212036569,
                                              -0.007317954388317704, 0.001113788354744113}),
                    z);
  Value rest = arith::SubFOp::create(builder, loc, constant(1.57079632679489662), angle);
  return withSign(arith::SelectOp::create(builder, loc, isLarge, rest, angle), x);
}

VectorMath::ArcSine VectorMath::arcSine(Value x) {
  Value a = magnitude(x), half = constant(0.5);
  Value isLarge = isGreater(a, half);
  Value halfRest = fma(a, constant(-0.5), half);
  Value square = arith::SelectOp::create(builder, loc, isLarge, halfRest, arith::MulFOp::create(builder, loc, x, x));
  Value z = arith::SelectOp::create(builder, loc, isLarge, math::SqrtOp::create(builder, loc, halfRest), a);
  Value cube = arith::MulFOp::create(builder, loc, square, z);
  Value angle = fma(cube, polynomial(square, {0.16666659972672682, 0.0750050538279362, 0.044516708315983006, 0.03180991222396472,
                                              0.014429837757456182, 0.03752938311755687}),
                    z);
  return {a, isLarge, angle};
}

Value VectorMath::asin(Value x) {
  ArcSine arc = arcSine(x);
  Value large = fma(arc.angle, constant(-2), constant(1.57079632679489662));
  return withSign(arith::SelectOp::create(builder, loc, arc.isLarge, large, arc.angle), x);
}

/// 2 asin(sqrt((1 - x)/2)) for x > 1/2, where pi/2 - asin(x) would cancel.
Value VectorMath::acos(Value x) {
  ArcSine arc = arcSine(x);
  Value twice = arith::AddFOp::create(builder, loc, arc.angle, arc.angle);
  Value isNegative = isGreater(constant(0), x);
  Value large = arith::SelectOp::create(builder, loc, isNegative, arith::SubFOp::create(builder, loc, constant(3.14159265358979324), twice), twice);
  Value small = arith::SubFOp::create(builder, loc, constant(1.57079632679489662), withSign(arc.angle, x));
  return arith::SelectOp::create(builder, loc, arc.isLarge, large, small);
}

} // namespace cameo::schedule
