// Conversions between element types.
#include "passes/Lower/Builders/StringBuilder.h"
#include "passes/Lower/Formulas/NarrowNumbers.h"
#include "passes/Lower/LoweringTable.h"

#include "dialects/Onnx/OnnxOps.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace cameo::lower {
namespace {

/// Converts to a narrow type. Floats are rounded to even integers and lose higher bits.
Value encode(ScalarBuilder &s, Value number, Type to, Sign sign, NarrowRounding rounding) {
  Type from = number.getType(), i32 = s.builder.getI32Type();
  if (auto integer = dyn_cast<IntegerType>(to)) {
    if (isa<FloatType>(from))
      number = s.convert(s.apply<math::RoundEvenOp>(s.widen(number)), i32);
    return encodeNarrowInteger(s, number, integer);
  }
  bool isExact = isa<FloatType>(from) ? !from.isF64() : from.getIntOrFloatBitWidth() <= 16;
  number = s.convert(number, isExact ? Type(s.builder.getF32Type()) : s.builder.getF64Type(), sign);
  return encodeNarrowFloat(s, number, cast<FloatType>(to), rounding);
}

/// Converts from or to a string.
template <typename OpTy> Value convertString(OpTy op, ScalarBuilder &s, Value x, NarrowRounding rounding) {
  Type from = getElementTypeOrSelf(op.getInput().getType()), to = getElementTypeOrSelf(op.getOutput().getType());
  if (isString(to))
    return writeNumber(s, isNarrow(from) ? decodeNarrow(s, x, from) : x, signOf(op.getInput()));
  if (!isNarrow(to))
    return readNumber(s, x, resultElement(op), signOf(op.getOutput()));
  Type wide = isa<FloatType>(to) ? Type(s.builder.getF32Type()) : s.builder.getI32Type();
  return encode(s, readNumber(s, x, wide, Sign::Signed), to, Sign::Signed, rounding);
}

/// Lowers Cast and CastLike: the type of the result is the target type.
template <typename OpTy> Lowered lowerCast(OpTy op, Operands operands, GenericBuilder &b) {
  Type from = getElementTypeOrSelf(op.getInput().getType()), to = getElementTypeOrSelf(op.getOutput().getType());
  Sign sign = signOf(op.getInput()), resultSign = signOf(op.getOutput());
  bool hasString = isString(from) || isString(to);
  if (from == to || (!isNarrow(from) && !isNarrow(to) && !hasString))
    return one(b.convert(operands[0], resultElement(op), sign, resultSign));
  NarrowRounding rounding{op.getSaturate() != 0, op.getRoundMode()};
  return one(b.map(resultShape(op), resultElement(op), {b.whole(operands[0])}, [&](ScalarBuilder &s, ValueRange x) {
    if (hasString)
      return convertString(op, s, x[0], rounding);
    Value number = isNarrow(from) ? decodeNarrow(s, x[0], from) : x[0];
    return isNarrow(to) ? encode(s, number, to, sign, rounding)
                        : s.convert(number, resultElement(op), sign, resultSign);
  }));
}

Lowered lowerBitCast(onnx::BitCastOp op, Operands operands, GenericBuilder &b) {
  Type from = elementOf(operands[0]), to = resultElement(op);
  return one(b.map(resultShape(op), to, {b.whole(operands[0])}, [&](ScalarBuilder &s, ValueRange x) -> Value {
    if (from == to)
      return x[0];
    // A boolean is a byte in memory and an i1 here.
    if (from.isInteger(1) || to.isInteger(1))
      return s.convert(x[0], to, Sign::Unsigned);
    return s.apply<arith::BitcastOp>(to, x[0]);
  }));
}

} // namespace

void addCasts(LoweringTable &table) {
  table.add(lowerCast<onnx::CastOp>);
  table.add(lowerCast<onnx::CastLikeOp>);
  table.add(lowerBitCast);
}

} // namespace cameo::lower
