#include "passes/Lower/Formulas/NarrowNumbers.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace cameo::lower {
namespace {

/// The format of a narrow float in a byte: sign, exponent and mantissa.
struct Format {
  unsigned mantissaBits, bias, signBit;
  /// Byte of the greatest finite number, without the sign.
  uint64_t greatest;
  /// Bytes of infinity and NaN, without the sign except for FNUZ; 0 if the format has none.
  uint64_t infinity, notANumber;
  /// Whether the format is FNUZ: it has no negative zero, whose byte is its only NaN.
  bool isUnsignedZero = false;
};

Format formatOf(Type type) {
  if (isa<Float8E4M3FNType>(type))
    return {3, 7, 7, 0x7E, 0, 0x7F};
  if (isa<Float8E4M3FNUZType>(type))
    return {3, 8, 7, 0x7F, 0, 0x80, true};
  if (isa<Float8E5M2Type>(type))
    return {2, 15, 7, 0x7B, 0x7C, 0x7E};
  if (isa<Float8E5M2FNUZType>(type))
    return {2, 16, 7, 0x7F, 0, 0x80, true};
  assert(isa<Float4E2M1FNType>(type) && "the other formats have no sign");
  return {1, 1, 3, 0x7, 0, 0};
}

/// Operations on the bits of f32 or f64.
struct Wide {
  Wide(ScalarBuilder &s, FloatType type)
      : s(s), floating(type), integer(s.builder.getIntegerType(type.getWidth())),
        mantissaBits(type.getFPMantissaWidth() - 1), bias(type.isF64() ? 1023 : 127) {}
  Value bits(int64_t value) { return s.integer(integer, value); }
  Value shiftLeft(Value a, int64_t by) { return s.apply<arith::ShLIOp>(a, bits(by)); }
  Value shiftRight(Value a, int64_t by) { return s.apply<arith::ShRUIOp>(a, bits(by)); }
  Value both(Value a, int64_t mask) { return s.apply<arith::AndIOp>(a, bits(mask)); }
  Value either(Value a, Value b) { return s.apply<arith::OrIOp>(a, b); }
  Value toFloat(Value a) { return s.apply<arith::BitcastOp>(floating, a); }
  Value toBits(Value a) { return s.apply<arith::BitcastOp>(integer, a); }
  Value isAbove(Value a, int64_t b) { return s.compare(Order::Greater, a, bits(b)); }

  ScalarBuilder &s;
  FloatType floating;
  IntegerType integer;
  int64_t mantissaBits, bias;
};

/// Decodes float8e8m0: powers of two from 2^-127; the last byte is NaN.
Value decodeExponent(ScalarBuilder &s, Value byte) {
  Wide w(s, s.builder.getF32Type());
  Value exponent = s.convert(byte, w.integer, Sign::Unsigned);
  Value isLeast = s.compare(Order::Equal, exponent, w.bits(0)), isNaN = s.compare(Order::Equal, exponent, w.bits(0xFF));
  Value number = s.select(isLeast, w.bits(1 << 22), w.shiftLeft(exponent, 23));
  return w.toFloat(s.select(isNaN, w.bits(0x7FC00000), number));
}

Value decodeFloat(ScalarBuilder &s, Value byte, Type type) {
  if (isa<Float8E8M0FNUType>(type))
    return decodeExponent(s, byte);
  Format f = formatOf(type);
  Wide w(s, s.builder.getF32Type());
  Value bits = s.convert(byte, w.integer, Sign::Unsigned), magnitude = w.both(bits, (1 << f.signBit) - 1);
  // Shifted to their position in f32, the bits are the number except for the bias, also those of a subnormal.
  Value scale = s.constant(FloatAttr::get(w.floating, std::ldexp(1.0, static_cast<int>(127 - f.bias))));
  Value number = s.mul(w.toFloat(w.shiftLeft(magnitude, 23 - f.mantissaBits)), scale);
  Value sign = w.shiftLeft(w.both(bits, 1 << f.signBit), 31 - f.signBit);
  Value result = w.either(w.toBits(number), sign);
  Value nan = w.bits(0x7FC00000);
  if (f.infinity)
    result =
        s.select(s.compare(Order::Equal, magnitude, w.bits(f.infinity)), w.either(sign, w.bits(0x7F800000)), result);
  if (f.isUnsignedZero)
    result = s.select(s.compare(Order::Equal, bits, w.bits(f.notANumber)), nan, result);
  else if (f.notANumber)
    result = s.select(w.isAbove(magnitude, f.infinity ? f.infinity : f.greatest), w.either(sign, nan), result);
  return w.toFloat(result);
}

/// Encodes float8e8m0: the exponent, plus one if the number is rounded up.
Value encodeExponent(ScalarBuilder &s, Value number, const NarrowRounding &rounding) {
  Wide w(s, cast<FloatType>(number.getType()));
  Value bits = w.toBits(s.abs(number)), mantissa = w.both(bits, (int64_t(1) << w.mantissaBits) - 1);
  Value exponent = s.sub(w.shiftRight(bits, w.mantissaBits), w.bits(w.bias - 127));
  int64_t half = int64_t(1) << (w.mantissaBits - 1);
  Value zero = w.bits(0), one = w.bits(1);
  Value isUp = rounding.mode == "up"        ? w.isAbove(mantissa, 0)
               : rounding.mode == "nearest" ? w.isAbove(mantissa, half - 1)
                                            : Value();
  if (w.floating.isF32() && isUp) {
    // Subnormal f32 numbers: the least result, 2^-127, is the first number of the upper half.
    int64_t least = int64_t(1) << 22;
    Value isSubnormal = s.compare(Order::Equal, exponent, zero);
    isUp = s.select(isSubnormal, w.isAbove(mantissa, rounding.mode == "up" ? least : least + least / 2 - 1), isUp);
  }
  if (isUp)
    exponent = s.add(exponent, s.select(isUp, one, zero));
  Value isLarge = w.isAbove(exponent, 254), isSmall = s.compare(Order::Less, exponent, zero);
  Value isZero = s.compare(Order::Equal, bits, zero), nan = w.bits(0xFF);
  Value result = s.select(isLarge, rounding.saturates ? w.bits(254) : nan, exponent);
  result = s.select(isSmall, rounding.saturates ? zero : nan, result);
  if (!rounding.saturates)
    result = s.select(isZero, nan, result);
  return s.convert(s.select(s.isNaN(number), nan, result), s.builder.getI8Type());
}

} // namespace

bool isNarrow(Type type) {
  if (auto integer = dyn_cast<IntegerType>(type))
    return integer.getWidth() == 2 || integer.getWidth() == 4;
  auto floating = dyn_cast<FloatType>(type);
  return floating && floating.getWidth() <= 8;
}

Value decodeNarrow(ScalarBuilder &s, Value byte, Type type) {
  if (isa<FloatType>(type))
    return decodeFloat(s, byte, type);
  auto integer = cast<IntegerType>(type);
  int64_t width = integer.getWidth();
  if (integer.isUnsigned())
    return s.apply<arith::AndIOp>(byte, s.integer(byte.getType(), (1 << width) - 1));
  Value by = s.integer(byte.getType(), 8 - width);
  return s.apply<arith::ShRSIOp>(s.apply<arith::ShLIOp>(byte, by), by);
}

Value encodeNarrowFloat(ScalarBuilder &s, Value number, FloatType type, NarrowRounding rounding) {
  if (isa<Float8E8M0FNUType>(type))
    return encodeExponent(s, number, rounding);
  Format f = formatOf(type);
  Wide w(s, cast<FloatType>(number.getType()));
  int64_t dropped = w.mantissaBits - f.mantissaBits;
  Value bits = w.toBits(s.abs(number));
  // Adds half of the last kept bit, minus one if that bit is even, so that ties round to even.
  Value odd = w.both(w.shiftRight(bits, dropped), 1);
  Value rounded = s.add(bits, s.add(odd, w.bits((int64_t(1) << (dropped - 1)) - 1)));
  Value normal = s.sub(w.shiftRight(rounded, dropped), w.bits((w.bias - f.bias) << f.mantissaBits));
  // Below the least normal number, elements are evenly spaced.
  double leastNormal = std::ldexp(1.0, 1 - static_cast<int>(f.bias)),
         spacing = std::ldexp(leastNormal, -static_cast<int>(f.mantissaBits));
  Value isSmall = s.compare(Order::Less, s.abs(number), s.number(w.floating, leastNormal));
  Value limited = s.select(isSmall, s.abs(number), s.number(w.floating, 0));
  Value steps = s.apply<math::RoundEvenOp>(s.mul(limited, s.number(w.floating, 1 / spacing)));
  Value magnitude = s.select(isSmall, s.apply<arith::FPToSIOp>(w.integer, steps), normal);

  Value isTooLarge = w.isAbove(magnitude, f.greatest);
  int64_t beyond = rounding.saturates || !f.notANumber ? f.greatest : f.infinity ? f.infinity : f.notANumber;
  Value sign = w.both(w.shiftRight(w.toBits(number), w.floating.getWidth() - 1 - f.signBit), int64_t(1) << f.signBit);
  Value result = w.either(s.select(isTooLarge, w.bits(beyond), magnitude), sign);
  if (f.isUnsignedZero)
    result = s.select(s.compare(Order::Equal, magnitude, w.bits(0)), w.bits(0), result);
  // float4 has no NaN: ONNX converts NaN to negative zero.
  bool isSigned = !f.isUnsignedZero && f.notANumber;
  Value nan = isSigned ? w.either(sign, w.bits(f.notANumber)) : w.bits(f.notANumber ? f.notANumber : 1 << f.signBit);
  return s.convert(s.select(s.isNaN(number), nan, result), s.builder.getI8Type());
}

Value encodeNarrowInteger(ScalarBuilder &s, Value integer, IntegerType type) {
  Value byte = s.convert(integer, s.builder.getI8Type());
  return s.apply<arith::AndIOp>(byte, s.integer(byte.getType(), (1 << type.getWidth()) - 1));
}

} // namespace cameo::lower
