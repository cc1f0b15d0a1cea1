// The cells of recurrent layers. RecurrentLayer.h runs them over time.
#include "passes/Lower/Formulas/RecurrentLayer.h"

#include "dialects/Onnx/OnnxOps.h"

using namespace mlir;

namespace cameo::lower {
namespace {

template <typename OpTy>
FailureOr<RecurrentLayer> readLayer(OpTy op, Operands operands, unsigned gates, ArrayRef<StringRef> activations) {
  RecurrentLayer layer{op,
                       operands[0],
                       operands[1],
                       operands[2],
                       operandOr(operands, 3),
                       operandOr(operands, 4),
                       operandOr(operands, 5),
                       operandOr(operands, 6),
                       operandOr(operands, 7),
                       op.getDirection(),
                       op.getLayout() != 0,
                       gates,
                       {},
                       /*scalesBias=*/false};
  auto read = readActivations(op, activations, layer.directions());
  if (failed(read))
    return failure();
  layer.activations = *read;
  return layer;
}

/// Computes a gate from the products of the input and of the state.
Value applyTo(GenericBuilder &b, const Direction &d, const GateActivation &activation, Value fromX, Value fromH,
              unsigned number) {
  return b.map(shapeOf(fromH), elementOf(fromH), {d.gate(b, fromX, number), b.whole(fromH)},
               [&](ScalarBuilder &s, ValueRange x) { return activation.apply(s, s.add(x[0], x[1])); });
}

Values stepRNN(GenericBuilder &b, const Direction &d, Value fromX, Values state) {
  return {applyTo(b, d, d.activations[0], fromX, d.recurrence(b, state[0], 0, 1).front(), 0)};
}

Lowered lowerRNN(onnx::RNNOp op, Operands operands, GenericBuilder &b) {
  auto layer = readLayer(op, operands, 1, {"Tanh"});
  if (failed(layer))
    return failure();
  return runLayer(b, *layer, 1, stepRNN);
}

/// The gates are z, r, h. The reset gate multiplies H before or after the product with the weights.
Values stepGRU(GenericBuilder &b, const Direction &d, Value fromX, Values state) {
  bool resetsAfter = d.layer.scalesBias;
  Value h = state[0];
  Values fromH = d.recurrence(b, h, 0, resetsAfter ? 3 : 2);
  Shape shape = shapeOf(h);
  Type type = elementOf(h);
  Value update = applyTo(b, d, d.activations[0], fromX, fromH[0], 0),
        reset = applyTo(b, d, d.activations[0], fromX, fromH[1], 1);
  SmallVector<Access> inputs = {b.whole(update), b.whole(h), d.gate(b, fromX, 2)};
  if (resetsAfter) {
    inputs.append({b.whole(fromH[2]), b.whole(reset)});
  } else {
    Value kept = b.map(shape, type, {b.whole(reset), b.whole(h)},
                       [](ScalarBuilder &s, ValueRange x) { return s.mul(x[0], x[1]); });
    inputs.push_back(b.whole(d.recurrence(b, kept, 2, 1).front()));
  }
  return {b.map(shape, type, inputs, [&](ScalarBuilder &s, ValueRange x) {
    Value recurrent = resetsAfter ? s.mul(x[4], x[3]) : x[3];
    Value candidate = d.activations[1].apply(s, s.add(x[2], recurrent));
    return s.add(s.mul(s.sub(s.number(type, 1), x[0]), candidate), s.mul(x[0], x[1]));
  })};
}

Lowered lowerGRU(onnx::GRUOp op, Operands operands, GenericBuilder &b) {
  auto layer = readLayer(op, operands, 3, {"Sigmoid", "Tanh"});
  if (failed(layer))
    return failure();
  layer->scalesBias = op.getLinearBeforeReset() != 0;
  return runLayer(b, *layer, 1, stepGRU);
}

/// The gates are i, o, f, c. The peepholes of i, o, f read the cell state.
Values stepLSTM(GenericBuilder &b, const Direction &d, Value fromX, Values state) {
  bool couples = cast<onnx::LSTMOp>(d.layer.op).getInputForget() != 0;
  Value h = state[0], c = state[1];
  Values fromH = d.recurrence(b, h, 0, 4);
  Shape shape = shapeOf(h);
  Type type = elementOf(h);
  auto shares = [&](SmallVector<Access> &inputs, unsigned number) {
    inputs.append({d.gate(b, fromX, number), b.whole(fromH[number])});
  };
  SmallVector<Access> inputs = {b.whole(c)};
  for (unsigned number : {0u, 2u, 3u})
    shares(inputs, number);
  if (d.peepholes)
    inputs.append({d.peephole(b, 0), d.peephole(b, 2)});
  Value next = b.map(shape, type, inputs, [&](ScalarBuilder &s, ValueRange x) {
    auto gate = [&](unsigned first, unsigned peephole) {
      Value sum = s.add(x[first], x[first + 1]);
      return d.activations[0].apply(s, d.peepholes ? s.add(sum, s.mul(x[peephole], x[0])) : sum);
    };
    Value input = gate(1, 7);
    Value forget = couples ? s.sub(s.number(type, 1), input) : gate(3, 8);
    Value candidate = d.activations[1].apply(s, s.add(x[5], x[6]));
    return s.add(s.mul(forget, x[0]), s.mul(input, candidate));
  });
  SmallVector<Access> outputInputs = {b.whole(next)};
  shares(outputInputs, 1);
  if (d.peepholes)
    outputInputs.push_back(d.peephole(b, 1));
  Value output = b.map(shape, type, outputInputs, [&](ScalarBuilder &s, ValueRange x) {
    Value gate = s.add(x[1], x[2]);
    if (d.peepholes)
      gate = s.add(gate, s.mul(x[3], x[0]));
    GateActivation shape = d.activations[2];
    shape.clip = std::nullopt; // clips inputs of gates only
    return s.mul(d.activations[0].apply(s, gate), shape.apply(s, x[0]));
  });
  return {output, next};
}

Lowered lowerLSTM(onnx::LSTMOp op, Operands operands, GenericBuilder &b) {
  auto layer = readLayer(op, operands, 4, {"Sigmoid", "Tanh", "Tanh"});
  if (failed(layer))
    return failure();
  layer->roundsState = op.getRoundedState();
  return runLayer(b, *layer, 2, stepLSTM);
}

} // namespace

void addRecurrent(LoweringTable &table) {
  table.add(lowerRNN);
  table.add(lowerGRU);
  table.add(lowerLSTM);
}

} // namespace cameo::lower
