// The steps of DynamicQuantizeLinear, which the numbers of a tensor decide: 256 from the least to the greatest one.
#ifndef CAMEO_PASSES_LOWER_FORMULAS_BYTESTEPS_H
#define CAMEO_PASSES_LOWER_FORMULAS_BYTESTEPS_H

#include "passes/Lower/Builders/GenericBuilder.h"

#include "mlir/Dialect/Math/IR/Math.h"

namespace cameo::lower {

/// Tensors of f32 with one element. The range always includes 0, so that 0 is represented exactly.
struct ByteSteps {
  mlir::Value least; ///< the least number, at most 0
  mlir::Value scale; ///< the width of a step; 1 if all numbers are 0
};

/// Returns the steps for all elements of a tensor of f32.
inline ByteSteps findByteSteps(GenericBuilder &b, mlir::Value x) {
  mlir::SmallVector<int64_t> axes = llvm::to_vector(llvm::seq<int64_t>(0, rankOf(x)));
  mlir::Type f32 = b.getF32Type();
  mlir::Value least = b.reduce(x, axes, false, b.getZeroAttr(f32),
                               [](ScalarBuilder &s, mlir::ValueRange x) { return s.min(x[1], x[0]); });
  mlir::Value most = b.reduce(x, axes, false, b.getZeroAttr(f32),
                              [](ScalarBuilder &s, mlir::ValueRange x) { return s.max(x[1], x[0]); });
  mlir::Value scale = b.elementwise({}, f32, {least, most}, [&](ScalarBuilder &s, mlir::ValueRange x) {
    mlir::Value range = s.sub(x[1], x[0]);
    mlir::Value isEmpty = s.compare(Order::Equal, range, s.number(f32, 0));
    return s.select(isEmpty, s.number(f32, 1), s.div(range, s.number(f32, 255)));
  });
  return {least, scale};
}

/// Rounds each number of a tensor of f32 to a step.
inline mlir::Value roundToByteSteps(GenericBuilder &b, mlir::Value x) {
  ByteSteps steps = findByteSteps(b, x);
  return b.elementwise(shapeOf(x), elementOf(x), {x, steps.least, steps.scale},
                       [&](ScalarBuilder &s, mlir::ValueRange x) {
                         auto limit = [&](mlir::Value number) {
                           return s.min(s.max(number, s.number(x[0].getType(), 0)), s.number(x[0].getType(), 255));
                         };
                         mlir::Value zero = limit(s.apply<mlir::math::RoundEvenOp>(s.div(s.negate(x[1]), x[2])));
                         mlir::Value step = limit(s.add(s.apply<mlir::math::RoundEvenOp>(s.div(x[0], x[2])), zero));
                         return s.mul(s.sub(step, zero), x[2]);
                       });
}

} // namespace cameo::lower

#endif
