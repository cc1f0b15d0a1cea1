// Range reductions follow Cody and Waite, "Software Manual for the Elementary Functions" (1980). The coefficients are
// weighted least-squares fits, iterated until the error is level (Lawson's method).
#include "passes/Schedule/VectorMath.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <limits>

using namespace mlir;

namespace cameo::schedule {

Value VectorMath::constant(double value, Type element) {
  auto vector = VectorType::get(type.getShape(), element);
  return arith::ConstantOp::create(builder, loc, DenseElementsAttr::get(vector, builder.getFloatAttr(element, value)));
}

Value VectorMath::bits(int64_t value) {
  auto vector = VectorType::get(type.getShape(), builder.getI32Type());
  return arith::ConstantOp::create(builder, loc, DenseElementsAttr::get(vector, builder.getI32IntegerAttr(value)));
}

Value VectorMath::fma(Value a, Value b, Value c) {
  if (has.fusedMultiplyAdd)
    return math::FmaOp::create(builder, loc, a, b, c);
  return arith::AddFOp::create(builder, loc, arith::MulFOp::create(builder, loc, a, b), c);
}

Value VectorMath::polynomial(Value x, ArrayRef<double> coefficients) {
  Type element = cast<VectorType>(x.getType()).getElementType();
  Value sum = constant(coefficients.back(), element);
  for (double coefficient : llvm::reverse(coefficients.drop_back()))
    sum = fma(sum, x, constant(coefficient, element));
  return sum;
}

Value VectorMath::pairedPolynomial(Value x, ArrayRef<double> coefficients) {
  SmallVector<Value> pairs;
  for (ArrayRef<double> left = coefficients; !left.empty(); left = left.drop_front(std::min<size_t>(2, left.size())))
    pairs.push_back(polynomial(x, left.take_front(2)));
  Value square = arith::MulFOp::create(builder, loc, x, x), sum = pairs.pop_back_val();
  while (!pairs.empty())
    sum = fma(sum, square, pairs.pop_back_val());
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

Value VectorMath::widened(Value x) {
  return arith::ExtFOp::create(builder, loc, VectorType::get(type.getShape(), builder.getF64Type()), x);
}

Value VectorMath::magnitude(Value x) { return math::AbsFOp::create(builder, loc, x); }

Value VectorMath::withSign(Value magnitude, Value sign) {
  return math::CopySignOp::create(builder, loc, magnitude, sign);
}

Value VectorMath::isGreater(Value a, Value b) {
  return arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OGT, a, b);
}

Value VectorMath::laneByLane(Value isAny, llvm::function_ref<Value(int64_t)> lane,
                             llvm::function_ref<Value()> vectors) {
  Value any = vector::ReductionOp::create(builder, loc, vector::CombiningKind::OR, isAny);
  auto branch = scf::IfOp::create(builder, loc, TypeRange(type), any, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  SmallVector<Value> lanes;
  for (int64_t number = 0; number < type.getNumElements(); ++number)
    lanes.push_back(lane(number));
  scf::YieldOp::create(builder, loc, vector::FromElementsOp::create(builder, loc, type, lanes).getResult());
  builder.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(builder, loc, vectors());
  return branch.getResult(0);
}

Value VectorMath::atMost(Value x, double limit) {
  Value most = constant(limit, cast<VectorType>(x.getType()).getElementType());
  return arith::SelectOp::create(builder, loc, isGreater(x, most), most, x);
}

Value VectorMath::atLeast(Value x, double limit) {
  Value least = constant(limit, cast<VectorType>(x.getType()).getElementType());
  return arith::SelectOp::create(builder, loc, isGreater(least, x), least, x);
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
  // Results that are not normal numbers: x is too large or NaN, or too small.
  Value fits = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OLE, x, constant(88.72283));
  Value large = arith::AddFOp::create(builder, loc, x, constant(std::numeric_limits<double>::infinity()));
  result = arith::SelectOp::create(builder, loc, fits, result, large);
  return arith::SelectOp::create(builder, loc, isGreater(constant(-87.33654), x), constant(0), result);
}

Value VectorMath::risingPart(Value rest) {
  Value curved = polynomial(rest, {0.5, 0.166666664, 0.0416663598, 0.00833338957, 0.00139407201, 0.000198458852});
  return fma(arith::MulFOp::create(builder, loc, rest, rest), curved, rest);
}

/// Computes with half the power of two, which is a float for all finite results.
Value VectorMath::expm1(Value x) {
  Reduced reduced = reduceExp(atLeast(atMost(x, 88.9), -30), exponentBias - 1);
  Value scale = asFloat(reduced.shifted);
  Value half = fma(scale, risingPart(reduced.rest), arith::SubFOp::create(builder, loc, scale, constant(0.5)));
  return withSign(arith::AddFOp::create(builder, loc, half, half), x);
}

/// The last multiply-add of the exponential also adds the 1.
Value VectorMath::logisticDivisor(Value x) {
  Reduced reduced = reduceExp(atMost(x, 87), exponentBias, /*sign=*/-1);
  Value mantissa = polynomial(reduced.rest, {1, -0.999999706307481, 0.49999147823894935, -0.16667638131074725,
                                             0.04189816197036838, -0.008290273080940963});
  return fma(asFloat(reduced.shifted), mantissa, constant(1));
}

VectorMath::Binary VectorMath::splitExponent(Value x) {
  // The exponent field of subnormal numbers is zero, so they are scaled first.
  Value isTiny = isGreater(constant(std::numeric_limits<float>::min()), x);
  Value scaled =
      arith::SelectOp::create(builder, loc, isTiny, arith::MulFOp::create(builder, loc, x, constant(1 << 23)), x);
  Value offset = arith::SubIOp::create(builder, loc, asBits(scaled), bits(0x3f3504f3));
  Value k = arith::ShRSIOp::create(builder, loc, offset, bits(23));
  Value mantissa =
      arith::SubIOp::create(builder, loc, asBits(scaled), arith::ShLIOp::create(builder, loc, k, bits(23)));
  Value exponent = arith::SIToFPOp::create(builder, loc, type, k);
  exponent = arith::AddFOp::create(builder, loc, exponent,
                                   arith::SelectOp::create(builder, loc, isTiny, constant(-23), constant(0)));
  return {exponent, arith::SubFOp::create(builder, loc, asFloat(mantissa), constant(1))};
}

Value VectorMath::log(Value x) {
  Value zero = constant(0), infinity = constant(std::numeric_limits<double>::infinity());
  auto [exponent, f] = splitExponent(x);
  Value square = arith::MulFOp::create(builder, loc, f, f);
  Value curved = polynomial(f, {0.33333312547003213, -0.2500000954564142, 0.2000212305085879, -0.16668002894691095,
                                0.14219459900527107, -0.12405387872988999, 0.11888692975895426, -0.11677208483396706,
                                0.06747352895901818});
  Value sum = arith::MulFOp::create(builder, loc, arith::MulFOp::create(builder, loc, square, f), curved);
  sum = fma(exponent, constant(-2.12194440054690583e-4), sum);
  sum = fma(square, constant(-0.5), sum);
  sum = arith::AddFOp::create(builder, loc, sum, f);
  sum = fma(exponent, constant(0.693359375), sum);
  Value other =
      arith::SelectOp::create(builder, loc, isGreater(zero, x), constant(std::numeric_limits<double>::quiet_NaN()), x);
  Value isZero = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OEQ, x, zero);
  other = arith::SelectOp::create(builder, loc, isZero, constant(-std::numeric_limits<double>::infinity()), other);
  Value isUsual = arith::AndIOp::create(builder, loc, isGreater(x, zero), isGreater(infinity, x));
  return arith::SelectOp::create(builder, loc, isUsual, sum, other);
}

/// The correction is the rounding error of the sum divided by the sum.
VectorMath::RoundedSum VectorMath::onePlus(Value x) {
  Value one = constant(1), zero = constant(0), infinity = constant(std::numeric_limits<double>::infinity());
  Value sum = arith::AddFOp::create(builder, loc, x, one);
  Value lost = arith::SubFOp::create(builder, loc, x, arith::SubFOp::create(builder, loc, sum, one));
  Value isUsual = arith::AndIOp::create(builder, loc, isGreater(sum, zero), isGreater(infinity, sum));
  Value correction = arith::SelectOp::create(builder, loc, isUsual, quotient(lost, sum), zero);
  return {sum, correction};
}

Value VectorMath::log1p(Value x) {
  auto [sum, correction] = onePlus(x);
  return withSign(arith::AddFOp::create(builder, loc, log(sum), correction), x);
}

/// Below 1 it is a polynomial; above, 1 - e^-f with a polynomial f, which is 1 from 4 on.
Value VectorMath::erf(Value x) {
  Value a = magnitude(x);
  Value square = arith::MulFOp::create(builder, loc, x, x);
  Value small =
      fma(x,
          polynomial(square, {0.12837916572669886, -0.37612625824192797, 0.1128358514825199, -0.0268538119218487,
                              0.005188327661971995, -0.0008010193426409978, 7.853860719494737e-05}),
          x);
  Value exponent =
      polynomial(atMost(a, 4), {-0.00034152229749752346, -1.1270891932325395, -0.6381448274752344, -0.10310675937495649,
                                0.021838066385455313, -0.0029476589151188446, 0.00018637925589306542});
  Value large = withSign(arith::SubFOp::create(builder, loc, constant(1), normalExp(exponent)), x);
  return arith::SelectOp::create(builder, loc, isGreater(a, constant(1)), large, small);
}

/// It is 2^f with a polynomial f: no range needs another one where a sum with 1 has no more digits than 1 has.
Value VectorMath::complementByPower(Value x, double factor) {
  SmallVector<double> coefficients = {-1.6279085874557495,    -0.918416440486908,     -0.14848150312900543,
                                      0.028253646567463875,   -0.0007748186471872032, -0.001489186310209334,
                                      0.00044538427027873695, -4.533784886007197e-05};
  double power = 1;
  for (double &coefficient : coefficients)
    coefficient *= power *= factor;
  // Where f is -127, whose power is 0.
  constexpr double limit = 7.051677776445054;
  Value a = atMost(magnitude(x), limit / factor);
  Value exponent = arith::MulFOp::create(builder, loc, a, pairedPolynomial(a, coefficients));
  Value shift = constant(roundingShift + exponentBias);
  Value shifted = arith::AddFOp::create(builder, loc, exponent, shift);
  Value rest = arith::SubFOp::create(builder, loc, exponent, arith::SubFOp::create(builder, loc, shifted, shift));
  Value scale = asFloat(arith::ShLIOp::create(builder, loc, asBits(shifted), bits(23)));
  Value rising = pairedPolynomial(rest, {0.6931471824645996, 0.24022646248340607, 0.05550359562039375,
                                         0.009618652053177357, 0.0013390980893746018, 0.00015291997988242656});
  return arith::MulFOp::create(builder, loc, scale, fma(rising, rest, constant(1)));
}

Value VectorMath::erfPlusOne(Value x, double factor) {
  bool fitsTable = has.looksUp && type.getNumElements() == 16;
  Value below = fitsTable ? complementByTables(x, factor) : complementByPower(x, factor);
  Value above = arith::SubFOp::create(builder, loc, constant(2), below);
  return arith::SelectOp::create(builder, loc, isGreater(constant(0), x), below, above);
}

} // namespace cameo::schedule
