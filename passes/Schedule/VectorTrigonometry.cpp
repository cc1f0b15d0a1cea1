// Trigonometric functions, whose arguments are reduced to an eighth of a turn, and their inverses.
#include "passes/Schedule/VectorMath.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace cameo::schedule {

/// Reduces in float64, which is exact enough for arguments below 2^20 without a correction.
VectorMath::Quarters VectorMath::reduceQuarters(Value x) {
  Type f64 = builder.getF64Type();
  Value exact = widened(x);
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
  Value square = arith::MulFOp::create(builder, loc, r, r);
  Value cube = arith::MulFOp::create(builder, loc, square, r);
  Value sine = fma(
      cube,
      polynomial(square, {-0.16666666640775757, 0.00833332930237302, -0.00019839311474451816, 2.718114034811774e-06}),
      r);
  Value cosine = fma(arith::MulFOp::create(builder, loc, square, square),
                     polynomial(square, {0.04166664567010649, -0.0013887315614460002, 2.443308248460623e-05}),
                     fma(square, constant(-0.5), constant(1)));
  return {quadrant, sine, cosine};
}

Value VectorMath::reducedCircular(Value x, Circular function) {
  auto [quadrant, sine, cosine] = reduceQuarters(x);
  Value one = bits(1);
  if (function == Circular::Cosine)
    quadrant = arith::AddIOp::create(builder, loc, quadrant, one);
  Value isOdd = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                      arith::AndIOp::create(builder, loc, quadrant, one), one);
  Value result = arith::SelectOp::create(builder, loc, isOdd, cosine, sine);
  if (function == Circular::Tangent) {
    Value other = arith::SelectOp::create(builder, loc, isOdd, sine, cosine);
    // After a quarter turn the tangent is minus the reciprocal.
    Value sign = arith::ShLIOp::create(builder, loc, arith::AndIOp::create(builder, loc, quadrant, one), bits(31));
    return asFloat(
        arith::XOrIOp::create(builder, loc, asBits(arith::DivFOp::create(builder, loc, result, other)), sign));
  }
  // The second bit of the quadrant is the sign.
  Value sign = arith::ShLIOp::create(builder, loc, arith::AndIOp::create(builder, loc, quadrant, bits(2)), bits(30));
  return asFloat(arith::XOrIOp::create(builder, loc, asBits(result), sign));
}

Value VectorMath::inLibrary(Value element, Circular function) {
  switch (function) {
  case Circular::Sine:
    return math::SinOp::create(builder, loc, element);
  case Circular::Cosine:
    return math::CosOp::create(builder, loc, element);
  case Circular::Tangent:
    return math::TanOp::create(builder, loc, element);
  }
  llvm_unreachable("there are three of them");
}

Value VectorMath::circular(Value x, Circular function) {
  if (!has.library)
    return reducedCircular(x, function);
  return laneByLane(
      isGreater(magnitude(x), constant(1 << 20)),
      [&](int64_t lane) { return inLibrary(vector::ExtractOp::create(builder, loc, x, lane), function); },
      [&] { return reducedCircular(x, function); });
}

/// For |x| > 1 it is pi/2 minus the arc tangent of 1/|x|.
Value VectorMath::atan(Value x) {
  Value a = magnitude(x), one = constant(1);
  Value isLarge = isGreater(a, one);
  Value z = arith::SelectOp::create(builder, loc, isLarge, arith::DivFOp::create(builder, loc, one, a), a);
  Value square = arith::MulFOp::create(builder, loc, z, z);
  Value cube = arith::MulFOp::create(builder, loc, square, z);
  Value angle =
      fma(cube,
          polynomial(square, {-0.3333332689951352, 0.19999671121747456, -0.14279833038129566, 0.11058223603956524,
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
  Value angle = fma(cube,
                    polynomial(square, {0.16666659972672682, 0.0750050538279362, 0.044516708315983006,
                                        0.03180991222396472, 0.014429837757456182, 0.03752938311755687}),
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
  Value large = arith::SelectOp::create(
      builder, loc, isNegative, arith::SubFOp::create(builder, loc, constant(3.14159265358979324), twice), twice);
  Value small = arith::SubFOp::create(builder, loc, constant(1.57079632679489662), withSign(arc.angle, x));
  return arith::SelectOp::create(builder, loc, arc.isLarge, large, small);
}

} // namespace cameo::schedule
