// Softmax, LogSoftmax and Hardmax: reductions along one axis, and elementwise ends.
#include "passes/Lower/Formulas/Softmax.h"
#include "passes/Lower/LoweringTable.h"

#include "dialects/Onnx/OnnxOps.h"

using namespace mlir;

namespace cameo::lower {

/// Returns the greatest number. A NaN may be left out, because it makes the sum of the exponentials NaN.
static Value greatestAlong(GenericBuilder &b, Value x, int64_t axis) {
  return b.reduce(x, {axis}, /*keepDims=*/true, lowestAttr(computeType(elementOf(x))),
                  [](ScalarBuilder &s, ValueRange x) -> Value {
                    return s.apply<arith::MaximumFOp>(x[1], x[0], arith::FastMathFlags::nnan);
                  });
}

static Value sumAlong(GenericBuilder &b, Value x, int64_t axis) {
  return b.reduce(x, {axis}, /*keepDims=*/true, b.getZeroAttr(elementOf(x)),
                  [](ScalarBuilder &s, ValueRange x) { return s.add(x[1], x[0]); });
}

static Value softmax(GenericBuilder &b, Value x, int64_t axis, Type element) {
  Value shifted = b.elementwise(shapeOf(x), computeType(element), {x, greatestAlong(b, x, axis)},
                                [](ScalarBuilder &s, ValueRange x) { return s.exp(s.sub(x[0], x[1])); });
  // The sum is at least 1, so its reciprocal is a normal number.
  return b.elementwise(shapeOf(x), element, {shifted, sumAlong(b, shifted, axis)},
                       [](ScalarBuilder &s, ValueRange x) -> Value {
                         return s.apply<arith::DivFOp>(x[0], x[1], arith::FastMathFlags::arcp);
                       });
}

Value logSoftmax(GenericBuilder &b, Value x, int64_t axis, Type element) {
  Type type = computeType(element);
  Value shifted = b.elementwise(shapeOf(x), type, {x, greatestAlong(b, x, axis)},
                                [](ScalarBuilder &s, ValueRange x) { return s.sub(x[0], x[1]); });
  Value exponentials =
      b.elementwise(shapeOf(x), type, {shifted}, [](ScalarBuilder &s, ValueRange x) { return s.exp(x[0]); });
  // The logarithm is computed once per sum, not once per element.
  Value sum = sumAlong(b, exponentials, axis);
  Value logarithm =
      b.elementwise(shapeOf(sum), type, {sum}, [](ScalarBuilder &s, ValueRange x) { return s.log(x[0]); });
  return b.elementwise(shapeOf(x), element, {shifted, logarithm},
                       [](ScalarBuilder &s, ValueRange x) { return s.sub(x[0], x[1]); });
}

namespace {

Lowered lowerSoftmax(onnx::SoftmaxOp op, Operands operands, GenericBuilder &b) {
  int64_t axis = normalizeAxis(op.getAxis(), rankOf(operands[0]));
  return one(softmax(b, operands[0], axis, resultElement(op)));
}

Lowered lowerLogSoftmax(onnx::LogSoftmaxOp op, Operands operands, GenericBuilder &b) {
  int64_t axis = normalizeAxis(op.getAxis(), rankOf(operands[0]));
  return one(logSoftmax(b, operands[0], axis, resultElement(op)));
}

} // namespace

void addSoftmaxes(LoweringTable &table) {
  table.add(lowerSoftmax);
  table.add(lowerLogSoftmax);
}

} // namespace cameo::lower
