#include "passes/Lower/Builders/StringBuilder.h"

#include "dialects/Task/TaskStringOps.h"

using namespace mlir;

namespace cameo::lower {

Value invoke(ScalarBuilder &s, StringRef function, Type result, ValueRange inputs) {
  return s.apply<task::InvokeOp>(result, function, inputs);
}

Value makeString(ScalarBuilder &s, StringRef function, ValueRange inputs) {
  SmallVector<Value> arguments = {s.apply<task::TextAreaOp>(s.builder.getI64Type())};
  llvm::append_range(arguments, inputs);
  return invoke(s, function, s.builder.getI64Type(), arguments);
}

Value literal(ScalarBuilder &s, StringRef string) { return s.apply<task::StringOp>(s.builder.getI64Type(), string); }

Value compareStrings(ScalarBuilder &s, Order order, Value a, Value b) {
  Type i32 = s.builder.getI32Type();
  return s.compare(order, invoke(s, "cameo_text_compare", i32, {a, b}), s.integer(i32, 0));
}

/// Converts the bits of a narrow float, or an integer of any width, to an integer of `type`.
static Value widenBits(ScalarBuilder &s, Value number, Type type, Sign sign) {
  if (auto floating = dyn_cast<FloatType>(number.getType()))
    number = s.apply<arith::BitcastOp>(s.builder.getIntegerType(floating.getWidth()), number);
  return s.convert(number, type, sign);
}

Value writeNumber(ScalarBuilder &s, Value number, Sign sign) {
  Type type = number.getType(), i32 = s.builder.getI32Type();
  if (type.isF64())
    return makeString(s, "cameo_text_from_float64", number);
  if (type.isF32())
    return makeString(s, "cameo_text_from_float32", number);
  if (type.isF16())
    return makeString(s, "cameo_text_from_float16", widenBits(s, number, i32, Sign::Unsigned));
  if (type.isBF16())
    return makeString(s, "cameo_text_from_bfloat16", widenBits(s, number, i32, Sign::Unsigned));
  if (type.isInteger(1))
    return makeString(s, "cameo_text_from_bool", widenBits(s, number, i32, Sign::Unsigned));
  StringRef function = sign == Sign::Unsigned ? "cameo_text_from_uint64" : "cameo_text_from_int64";
  return makeString(s, function, widenBits(s, number, s.builder.getI64Type(), sign));
}

Value readNumber(ScalarBuilder &s, Value string, Type type, Sign sign) {
  Type i32 = s.builder.getI32Type(), i64 = s.builder.getI64Type();
  if (type.isF32())
    return invoke(s, "cameo_text_to_float32", type, string);
  if (isa<FloatType>(type))
    return s.convert(invoke(s, "cameo_text_to_float64", s.builder.getF64Type(), string), type);
  if (type.isInteger(1))
    return s.convert(invoke(s, "cameo_text_to_bool", i32, string), type);
  return s.convert(invoke(s, sign == Sign::Unsigned ? "cameo_text_to_uint64" : "cameo_text_to_int64", i64, string),
                   type, sign, sign);
}

Value filler(ScalarBuilder &s, Type onnxType, Type lowered) {
  return isString(onnxType) ? literal(s, "") : s.number(lowered, 0);
}

} // namespace cameo::lower
