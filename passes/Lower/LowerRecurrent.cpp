// The cells of recurrent layers; RecurrentLayer.h runs them over time.
#include "passes/Lower/RecurrentLayer.h"

#include "dialects/Onnx/OnnxOps.h"

using namespace mlir;

namespace cameo::lower {
namespace {

Value operandOr(Operands operands, unsigned number) { return operands.size() > number ? operands[number] : Value(); }

template <typename OpTy>
FailureOr<RecurrentLayer> readLayer(OpTy op, Operands operands, unsigned gates, ArrayRef<StringRef> activations) {
  RecurrentLayer layer{op, operands[0], operands[1], operands[2], operandOr(operands, 3), operandOr(operands, 4),
                       operandOr(operands, 5), operandOr(operands, 6), operandOr(operands, 7), op.getDirection(),
                       op.getLayout() != 0, gates, {}};
  auto read = readActivations(op, activations, layer.directions());
  if (failed(read))
    return failure();
  layer.activations = *read;
  return layer;
}

/// Inputs of a gate's body by name: what exists is read, in any order.
class GateInputs {
public:
  unsigned add(Access access) {
    accesses.push_back(access);
    return accesses.size() - 1;
  }
  std::optional<unsigned> add(std::optional<Access> access) {
    return access ? std::optional(add(*access)) : std::nullopt;
  }
  ArrayRef<Access> get() const { return accesses; }

private:
  SmallVector<Access> accesses;
};

Value sumOf(ScalarBuilder &s, ValueRange x, ArrayRef<std::optional<unsigned>> terms) {
  Value sum;
  for (std::optional<unsigned> term : terms)
    if (term)
      sum = sum ? s.add(sum, x[*term]) : x[*term];
  return sum;
}

/// The input of gate `number` from X, H and both biases.
SmallVector<std::optional<unsigned>> gateTerms(GenericBuilder &b, const Direction &d, GateInputs &inputs, Value fromX,
                                               Value fromH, unsigned number) {
  return {inputs.add(d.gate(b, fromX, number)), inputs.add(d.gate(b, fromH, number)), inputs.add(d.bias(b, d.wBias, number)),
          inputs.add(d.bias(b, d.rBias, number))};
}

Values stepRNN(GenericBuilder &b, const Direction &d, Value fromX, Values state) {
  Value fromH = multiplyTransposed(b, state[0], d.r);
  GateInputs inputs;
  auto terms = gateTerms(b, d, inputs, fromX, fromH, 0);
  return {b.map(shapeOf(state[0]), elementOf(state[0]), inputs.get(),
                [&](ScalarBuilder &s, ValueRange x) { return d.activations[0].apply(s, sumOf(s, x, terms)); })};
}

Lowered lowerRNN(onnx::RNNOp op, Operands operands, GenericBuilder &b) {
  auto layer = readLayer(op, operands, 1, {"Tanh"});
  if (failed(layer))
    return failure();
  return runLayer(b, *layer, 1, stepRNN);
}

/// Gates z, r, h. The reset gate acts on H before or after its product with the weights.
Values stepGRU(GenericBuilder &b, const Direction &d, Value fromX, Values state) {
  bool resetsAfter = cast<onnx::GRUOp>(d.layer.op).getLinearBeforeReset() != 0;
  Value h = state[0], fromH = multiplyTransposed(b, h, d.r);
  Shape shape = shapeOf(h);
  Type type = elementOf(h);
  auto gate = [&](unsigned number) {
    GateInputs inputs;
    auto terms = gateTerms(b, d, inputs, fromX, fromH, number);
    return b.map(shape, type, inputs.get(),
                 [&](ScalarBuilder &s, ValueRange x) { return d.activations[0].apply(s, sumOf(s, x, terms)); });
  };
  Value update = gate(0), reset = gate(1);
  GateInputs inputs;
  unsigned z = inputs.add(b.whole(update)), old = inputs.add(b.whole(h)), r = inputs.add(b.whole(reset));
  std::optional<unsigned> hidden, fromInput = inputs.add(d.gate(b, fromX, 2));
  std::optional<unsigned> wBias = inputs.add(d.bias(b, d.wBias, 2)), rBias = inputs.add(d.bias(b, d.rBias, 2));
  if (resetsAfter) {
    hidden = inputs.add(d.gate(b, fromH, 2));
  } else {
    Value kept = b.map(shape, type, {b.whole(reset), b.whole(h)}, [](ScalarBuilder &s, ValueRange x) { return s.mul(x[0], x[1]); });
    Dim size = d.layer.hidden();
    hidden = inputs.add(b.whole(multiplyTransposed(b, kept, b.slice(d.r, {2 * size, 0}, {size, size}, {1, 1}))));
  }
  return {b.map(shape, type, inputs.get(), [&](ScalarBuilder &s, ValueRange x) {
    Value recurrent = sumOf(s, x, {hidden, rBias});
    if (resetsAfter)
      recurrent = s.mul(x[r], recurrent);
    Value candidate = d.activations[1].apply(s, s.add(sumOf(s, x, {fromInput, wBias}), recurrent));
    Value rest = s.sub(s.number(type, 1), x[z]);
    return s.add(s.mul(rest, candidate), s.mul(x[z], x[old]));
  })};
}

Lowered lowerGRU(onnx::GRUOp op, Operands operands, GenericBuilder &b) {
  auto layer = readLayer(op, operands, 3, {"Sigmoid", "Tanh"});
  if (failed(layer))
    return failure();
  return runLayer(b, *layer, 1, stepGRU);
}

/// Gates i, o, f, c; peepholes i, o, f look at the cell's state.
Values stepLSTM(GenericBuilder &b, const Direction &d, Value fromX, Values state) {
  bool couples = cast<onnx::LSTMOp>(d.layer.op).getInputForget() != 0;
  Value h = state[0], c = state[1], fromH = multiplyTransposed(b, h, d.r);
  Shape shape = shapeOf(h);
  Type type = elementOf(h);
  GateInputs inputs;
  unsigned old = inputs.add(b.whole(c));
  SmallVector<SmallVector<std::optional<unsigned>>> terms;
  for (unsigned number : {0u, 2u, 3u})
    terms.push_back(gateTerms(b, d, inputs, fromX, fromH, number));
  std::optional<unsigned> peepI = inputs.add(d.bias(b, d.peepholes, 0)), peepF = inputs.add(d.bias(b, d.peepholes, 2));
  Value next = b.map(shape, type, inputs.get(), [&](ScalarBuilder &s, ValueRange x) {
    auto peeped = [&](Value gate, std::optional<unsigned> weight) {
      return weight ? s.add(gate, s.mul(x[*weight], x[old])) : gate;
    };
    Value forget = d.activations[0].apply(s, peeped(sumOf(s, x, terms[1]), peepF));
    Value input = couples ? s.sub(s.number(type, 1), forget) : d.activations[0].apply(s, peeped(sumOf(s, x, terms[0]), peepI));
    Value candidate = d.activations[1].apply(s, sumOf(s, x, terms[2]));
    return s.add(s.mul(forget, x[old]), s.mul(input, candidate));
  });
  GateInputs outputInputs;
  unsigned cellState = outputInputs.add(b.whole(next));
  auto outputTerms = gateTerms(b, d, outputInputs, fromX, fromH, 1);
  std::optional<unsigned> peepO = outputInputs.add(d.bias(b, d.peepholes, 1));
  Value output = b.map(shape, type, outputInputs.get(), [&](ScalarBuilder &s, ValueRange x) {
    Value gate = sumOf(s, x, outputTerms);
    if (peepO)
      gate = s.add(gate, s.mul(x[*peepO], x[cellState]));
    GateActivation shape = d.activations[2];
    shape.clip = std::nullopt; // the state is not a gate's input
    return s.mul(d.activations[0].apply(s, gate), shape.apply(s, x[cellState]));
  });
  return {output, next};
}

Lowered lowerLSTM(onnx::LSTMOp op, Operands operands, GenericBuilder &b) {
  auto layer = readLayer(op, operands, 4, {"Sigmoid", "Tanh", "Tanh"});
  if (failed(layer))
    return failure();
  return runLayer(b, *layer, 2, stepLSTM);
}

} // namespace

void addRecurrent(LoweringTable &table) {
  table.add(lowerRNN);
  table.add(lowerGRU);
  table.add(lowerLSTM);
}

} // namespace cameo::lower
