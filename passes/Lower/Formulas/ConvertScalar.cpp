// Conversions between element types. In arith a float that does not fit into the integer type gives poison; ONNX's Cast
// saturates.
#include "passes/Lower/Builders/ScalarBuilder.h"

using namespace mlir;

namespace cameo::lower {

Value ScalarBuilder::widen(Value a) {
  Type to = computeType(a.getType());
  return to == a.getType() ? a : apply<arith::ExtFOp>(to, a);
}

Value ScalarBuilder::convertFloat(Value a, FloatType to) {
  auto from = cast<FloatType>(a.getType());
  if (from == to)
    return a;
  unsigned fromBits = from.getWidth(), toBits = to.getWidth();
  Type single = builder.getF32Type();
  // f16 and bf16 have no common supertype but f32.
  if (fromBits == toBits)
    return apply<arith::TruncFOp>(to, apply<arith::ExtFOp>(single, a));
  return fromBits < toBits ? apply<arith::ExtFOp>(to, a) : apply<arith::TruncFOp>(to, a);
}

Value ScalarBuilder::floatToInteger(Value a, IntegerType to, Sign sign) {
  a = widen(a);
  auto type = cast<FloatType>(a.getType());
  bool isUnsigned = sign == Sign::Unsigned;
  APInt least = isUnsigned ? APInt::getZero(to.getWidth()) : APInt::getSignedMinValue(to.getWidth());
  APInt greatest = isUnsigned ? APInt::getAllOnes(to.getWidth()) : APInt::getSignedMaxValue(to.getWidth());
  APFloat low(type.getFloatSemantics()), high(type.getFloatSemantics());
  low.convertFromAPInt(least, !isUnsigned, APFloat::rmTowardZero);
  // The greatest integer may lie between two floats: values above the lower one are selected by comparison.
  APFloat::opStatus status = high.convertFromAPInt(greatest, !isUnsigned, APFloat::rmTowardZero);
  Value lowest = constant(FloatAttr::get(type, low)), highest = constant(FloatAttr::get(type, high));
  Value limited = apply<arith::MinNumFOp>(apply<arith::MaxNumFOp>(a, lowest), highest);
  Value result = isUnsigned ? apply<arith::FPToUIOp>(to, limited) : apply<arith::FPToSIOp>(to, limited);
  if (status != APFloat::opOK)
    result = select(compare(Order::Greater, a, highest), constant(IntegerAttr::get(to, greatest)), result);
  return select(isNaN(a), integer(to, 0), result);
}

Value ScalarBuilder::integerToFloat(Value a, FloatType to, Sign sign) {
  Type wide = computeType(to);
  Value result = sign == Sign::Unsigned || a.getType().isInteger(1) ? apply<arith::UIToFPOp>(wide, a)
                                                                    : apply<arith::SIToFPOp>(wide, a);
  return convertFloat(result, to);
}

Value ScalarBuilder::convert(Value a, Type to, Sign from, Sign toSign) {
  Type type = a.getType();
  if (type == to)
    return a;
  if (to.isInteger(1))
    return compare(Order::NotEqual, a, number(type, 0));
  if (auto floating = dyn_cast<FloatType>(to))
    return isa<FloatType>(type) ? convertFloat(a, floating) : integerToFloat(a, floating, from);
  if (isa<FloatType>(type))
    return floatToInteger(a, cast<IntegerType>(to), toSign);
  if (type.getIntOrFloatBitWidth() > to.getIntOrFloatBitWidth())
    return apply<arith::TruncIOp>(to, a);
  bool isUnsigned = from == Sign::Unsigned || type.isInteger(1);
  return isUnsigned ? apply<arith::ExtUIOp>(to, a) : apply<arith::ExtSIOp>(to, a);
}

Value ScalarBuilder::toIndex(Value a, Sign sign) {
  if (a.getType().isIndex())
    return a;
  return sign == Sign::Signed ? apply<arith::IndexCastOp>(builder.getIndexType(), a)
                              : apply<arith::IndexCastUIOp>(builder.getIndexType(), a);
}

Value ScalarBuilder::fromIndex(Value a, Type type) {
  if (isa<FloatType>(type))
    return convert(apply<arith::IndexCastOp>(builder.getI64Type(), a), type);
  return apply<arith::IndexCastOp>(type, a);
}

} // namespace cameo::lower
