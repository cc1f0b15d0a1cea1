#include "passes/Lower/Formulas/ByteSteps.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace cameo::lower {

ByteSteps findByteSteps(GenericBuilder &b, Value x) {
  // Both in one pass over the tensor.
  Type f32 = b.getF32Type();
  unsigned rank = rankOf(x);
  Access zero{b.filled({}, b.getZeroAttr(f32)), {}};
  SmallVector<Value> ends = b.generic({0, rank}, {b.whole(x)}, {zero, zero}, [](ScalarBuilder &s, ValueRange x) {
    // What NaN becomes is not specified.
    constexpr arith::FastMathFlags noNaN = arith::FastMathFlags::nnan;
    Value number = s.widen(x[0]);
    return Values{s.apply<arith::MinimumFOp>(x[1], number, noNaN), s.apply<arith::MaximumFOp>(x[2], number, noNaN)};
  });
  Value least = ends[0], most = ends[1];
  Value scale = b.elementwise({}, f32, {least, most}, [&](ScalarBuilder &s, ValueRange x) {
    Value range = s.sub(x[1], x[0]);
    Value isEmpty = s.compare(Order::Equal, range, s.number(f32, 0));
    return s.select(isEmpty, s.number(f32, 1), s.div(range, s.number(f32, 255)));
  });
  return {least, scale};
}

Value roundToByteSteps(GenericBuilder &b, Value x) {
  ByteSteps steps = findByteSteps(b, x);
  return b.elementwise(shapeOf(x), elementOf(x), {x, steps.least, steps.scale}, [&](ScalarBuilder &s, ValueRange x) {
    auto limit = [&](Value number) {
      return s.min(s.max(number, s.number(x[0].getType(), 0)), s.number(x[0].getType(), 255));
    };
    Value zero = limit(s.apply<math::RoundEvenOp>(s.div(s.negate(x[1]), x[2])));
    Value step = limit(s.add(s.apply<math::RoundEvenOp>(s.div(x[0], x[2])), zero));
    return s.mul(s.sub(step, zero), x[2]);
  });
}

} // namespace cameo::lower
