#include "passes/Lower/Formulas/OrderedKeys.h"

using namespace mlir;

namespace cameo::lower {

constexpr int64_t placeBits = 32, placeMask = (int64_t(1) << placeBits) - 1;

bool OrderedKeys::hold(Type element) { return element.getIntOrFloatBitWidth() <= 32; }

static Value orderFloats(ScalarBuilder &s, Value element) {
  // The addition of zero turns negative zero into zero. For negative numbers the order of the bits is reversed.
  Value number = s.widen(element);
  unsigned width = number.getType().getIntOrFloatBitWidth();
  Type bits = s.builder.getIntegerType(width);
  Value most = s.constant(s.builder.getIntegerAttr(bits, APInt::getSignedMaxValue(width))),
        plain = s.apply<arith::BitcastOp>(bits, s.add(number, s.number(number.getType(), 0)));
  Value isNegative = s.apply<arith::ShRSIOp>(plain, s.integer(bits, width - 1));
  Value ordered = s.apply<arith::XOrIOp>(plain, s.logicalAnd(isNegative, most));
  return s.select(s.isNaN(number), most, ordered);
}

static Value orderIntegers(ScalarBuilder &s, Value element, Sign sign) {
  unsigned width = element.getType().getIntOrFloatBitWidth();
  bool isUnsigned = sign == Sign::Unsigned;
  if (width < 32) {
    Type bits = s.builder.getI32Type();
    return isUnsigned ? s.apply<arith::ExtUIOp>(bits, element) : s.apply<arith::ExtSIOp>(bits, element);
  }
  Value least = s.constant(s.builder.getIntegerAttr(element.getType(), APInt::getSignedMinValue(width)));
  return isUnsigned ? s.apply<arith::XOrIOp>(element, least) : element;
}

Value OrderedKeys::orderOf(ScalarBuilder &s, Value element) const {
  Value order = isa<FloatType>(element.getType()) ? orderFloats(s, element) : orderIntegers(s, element, sign);
  return prefersGreater ? order : s.sub(s.integer(order.getType(), -1), order);
}

Value OrderedKeys::keyOf(ScalarBuilder &s, Value order, Value place) {
  Type type = s.builder.getI64Type();
  Value above = s.apply<arith::ShLIOp>(s.apply<arith::ExtSIOp>(type, order), s.integer(type, placeBits));
  return s.toIndex(s.logicalOr(above, s.sub(s.integer(type, placeMask), s.fromIndex(place, type))));
}

Value OrderedKeys::placeOf(ScalarBuilder &s, Value key) {
  Type type = s.builder.getI64Type();
  Value below = s.logicalAnd(s.fromIndex(key, type), s.integer(type, placeMask));
  return s.toIndex(s.sub(s.integer(type, placeMask), below));
}

} // namespace cameo::lower
