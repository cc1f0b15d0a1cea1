#include "passes/Lower/Formulas/OrderedKeys.h"

using namespace mlir;

namespace cameo::lower {

constexpr int64_t placeBits = 32, placeMask = (int64_t(1) << placeBits) - 1;

bool OrderedKeys::hold(Type element) { return element.getIntOrFloatBitWidth() <= 32; }

/// Returns a signed 32-bit integer with the same order as the element.
static Value orderedBits(ScalarBuilder &s, Value element, Sign sign) {
  Type bits = s.builder.getI32Type();
  if (isa<FloatType>(element.getType())) {
    // The addition of zero turns negative zero into zero. For negative numbers the order of the bits is reversed.
    Value number = s.widen(element),
          plain = s.apply<arith::BitcastOp>(bits, s.add(number, s.number(number.getType(), 0)));
    Value isNegative = s.apply<arith::ShRSIOp>(plain, s.integer(bits, 31));
    Value ordered = s.apply<arith::XOrIOp>(plain, s.apply<arith::AndIOp>(isNegative, s.integer(bits, 0x7fffffff)));
    return s.select(s.isNaN(number), s.integer(bits, 0x7fffffff), ordered);
  }
  bool isUnsigned = sign == Sign::Unsigned;
  if (element.getType() == bits)
    return isUnsigned ? s.apply<arith::XOrIOp>(element, s.integer(bits, INT32_MIN)) : element;
  return isUnsigned ? s.apply<arith::ExtUIOp>(bits, element) : s.apply<arith::ExtSIOp>(bits, element);
}

Value OrderedKeys::keyOf(ScalarBuilder &s, Value element, Value place) const {
  Type type = s.builder.getI64Type();
  Value above = s.apply<arith::ExtSIOp>(type, orderedBits(s, element, sign));
  if (!prefersGreater)
    above = s.sub(s.integer(type, -1), above);
  above = s.apply<arith::ShLIOp>(above, s.integer(type, placeBits));
  return s.toIndex(s.logicalOr(above, s.sub(s.integer(type, placeMask), s.fromIndex(place, type))));
}

Value OrderedKeys::placeOf(ScalarBuilder &s, Value key) {
  Type type = s.builder.getI64Type();
  Value below = s.logicalAnd(s.fromIndex(key, type), s.integer(type, placeMask));
  return s.toIndex(s.sub(s.integer(type, placeMask), below));
}

} // namespace cameo::lower
