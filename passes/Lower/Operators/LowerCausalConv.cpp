// CausalConvWithState with a dynamic number of channels or taps: each channel over its own past. --decompose-ops
// rewrites all others to a Conv.
#include "passes/Lower/LoweringTable.h"

#include "dialects/Onnx/ConstantData.h"
#include "dialects/Onnx/OnnxOps.h"

using namespace mlir;

namespace cameo::lower {
namespace {

/// Concatenates the past state and the input; without a past state it pads with zeros.
Value joinPast(GenericBuilder &b, Value input, Value past, const Dim &before) {
  if (!past)
    return b.pad(input, {0, 0, before}, {0, 0, 0}, b.getZeroAttr(elementOf(input)));
  Shape shape = shapeOf(input);
  shape[2] = shape[2] + before;
  Value whole = b.insert(past, b.empty(shape, elementOf(input)), {0, 0, 0}, {1, 1, 1});
  return b.insert(input, whole, {0, 0, before}, {1, 1, 1});
}

Lowered lowerCausalConv(onnx::CausalConvWithStateOp op, Operands operands, GenericBuilder &b) {
  Value input = operands[0], weight = operands[1], bias = operands.size() > 2 ? operands[2] : Value();
  Shape shape = shapeOf(input);
  Dim before = shapeOf(weight)[2] - 1;
  Value whole = joinPast(b, input, operands.size() > 3 ? operands[3] : Value(), before);
  // The loops are batch, channel, position | tap.
  Access window{whole, {b.dim(0), b.dim(1), b.dim(2) + b.dim(3)}}, taps{weight, {b.dim(1), b.fixed(0), b.dim(3)}};
  Access sums{b.filled(shape, b.getZeroAttr(computeType(elementOf(input)))), b.dims(3)};
  Value result = b.generic({3, 1}, {window, taps}, {sums}, [](ScalarBuilder &s, ValueRange x) {
                    return Values{s.add(x[2], s.mul(s.widen(x[0]), s.widen(x[1])))};
                  }).front();
  SmallVector<Access> inputs = {b.whole(result)};
  if (bias)
    inputs.push_back({bias, {b.dim(1)}});
  result = b.compute(shape, elementOf(input), inputs, [&](ScalarBuilder &s, ValueRange x) {
    Value sum = bias ? s.add(x[0], x[1]) : x[0];
    return op.getActivation() == "none" ? sum : s.mul(sum, s.sigmoid(sum));
  });
  bool hasStateOutput = !onnx::isAbsent(op.getPresentState());
  return Values{result,
                hasStateOutput ? b.slice(whole, {0, 0, shape[2]}, {shape[0], shape[1], before}, {1, 1, 1}) : Value()};
}

} // namespace

void addCausalConvs(LoweringTable &table) { table.add(lowerCausalConv); }

} // namespace cameo::lower
