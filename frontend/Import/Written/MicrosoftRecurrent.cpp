// Rewrites layers of com.microsoft whose state the next call continues, and the LSTM with quantised weights.
#include "frontend/Import/Written/MicrosoftOperators.h"

#include "dialects/Onnx/ConstantData.h"
#include "dialects/Onnx/OnnxOps.h"

using namespace mlir;
using namespace cameo;

namespace {

void refuseWindow(NodeWriter &w) {
  int64_t window = w.takeInt("state_window", 0);
  w.expect(window == 0, "expected only the state after the last token, got a 'state_window' of " + Twine(window));
}

/// Repeats each of the `heads` heads of the queries `times` times, so that there are as many as heads of keys.
Value repeatHeads(NodeWriter &w, Value query, int64_t heads, int64_t times) {
  Value split = w.unsqueeze(w.reshape(query, {0, 0, heads, -1}), {3});
  return w.reshape(w.make("Expand", {split, w.ints({1, 1, 1, times, 1})}), {0, 0, -1});
}

/// Returns the weight of an equivalent convolution without dilation, which has zeros between the taps.
Value spreadTaps(NodeWriter &w, Value weight, int64_t dilation) {
  std::optional<int64_t> taps = knownSize(weight, 0);
  w.expect(taps && w.rankOf(weight) == 3, "expected a weight of channels, 1 and a known number of taps");
  if (w.hasFailed())
    return {};
  Value spread = w.lengthen(w.unsqueeze(weight, {3}), 3, w.scalar(dilation - 1));
  return firstNumbers(w, w.reshape(spread, {0, 0, -1}), (*taps - 1) * dilation + 1);
}

/// Dequantises weights and transposes them from [directions, inputs, 4 * hidden] to [directions, 4 * hidden, inputs].
/// The scale and the zero point are operands `scale` and `scale + 1`.
Value takeWeights(NodeWriter &w, unsigned weights, unsigned scale) {
  w.expectOperands({weights, scale, scale + 1});
  if (w.hasFailed())
    return {};
  auto perColumn = [&](Value value) {
    int64_t rank = w.rankOf(value);
    w.expect(w.hasFailed() || rank == 1 || rank == 2,
             "expected scales and zero points per direction, or per direction and column");
    return w.hasFailed()
               ? Value()
               : w.cast(w.unsqueeze(value, rank == 1 ? ArrayRef<int64_t>{1, 2} : ArrayRef<int64_t>{1}), w.f32());
  };
  Value centred = w.make("Sub", {w.cast(w.operand(weights), w.f32()), perColumn(w.operand(scale + 1))});
  Value real = w.make("Mul", {centred, perColumn(w.operand(scale))});
  w.expect(w.hasFailed() || w.rankOf(real) == 3, "expected weights of directions, inputs and columns");
  return w.hasFailed() ? Value() : w.transpose(real, {0, 2, 1});
}

/// Replaces the steps behind the longest sequence by zeros, which never change the range of a quantisation.
Value clearUnusedSteps(NodeWriter &w, Value input, Value lengths) {
  Value longest = w.make("ReduceMax", w.cast(lengths, w.i64()), w.attr("keepdims", 0));
  Value steps = w.make("Range", {w.scalar(0), w.sizeOf(input, 0), w.scalar(1)});
  Value isUsed = w.make("Reshape", {w.make("Less", {steps, longest}), w.ints({-1, 1, 1})});
  return w.make("Where", {isUsed, input, w.number(0, w.elementOf(input))});
}

/// The attributes of an LSTM that differ between its directions.
struct LstmDirections {
  std::string direction;
  SmallVector<std::string> activations;
  SmallVector<float> alphas, betas;

  unsigned count() const { return direction == "bidirectional" ? 2 : 1; }
  bool isReverse(unsigned number) const { return direction == "reverse" || number == 1; }
};

/// Returns the part of one direction of a list for all of them.
template <typename T> SmallVector<T> takePart(const SmallVector<T> &all, unsigned number, unsigned count) {
  size_t size = all.size() / count;
  return SmallVector<T>(all.begin() + number * size, all.begin() + (number + 1) * size);
}

/// Creates an LSTM whose state is rounded in each step.
SmallVector<Value> makeRoundedLstm(NodeWriter &w, ArrayRef<Value> operands, ArrayRef<NamedAttribute> shared,
                                   const LstmDirections &directions) {
  Builder &b = w.builder();
  SmallVector<NamedAttribute> attributes(shared);
  attributes.push_back(w.attr("direction", directions.direction));
  if (!directions.activations.empty()) {
    SmallVector<StringRef> names(directions.activations.begin(), directions.activations.end());
    attributes.push_back(b.getNamedAttr("activations", b.getStrArrayAttr(names)));
  }
  if (!directions.alphas.empty())
    attributes.push_back(b.getNamedAttr("activation_alpha", b.getDenseF32ArrayAttr(directions.alphas)));
  if (!directions.betas.empty())
    attributes.push_back(b.getNamedAttr("activation_beta", b.getDenseF32ArrayAttr(directions.betas)));
  SmallVector<Value> made = w.makeAll("LSTM", operands, attributes, {true, true, true});
  if (!w.hasFailed())
    cast<onnx::LSTMOp>(made.front().getDefiningOp()).setRoundedState(true);
  return made;
}

/// Creates one LSTM per direction, all forward in time. As in ONNX Runtime, each sequence is reversed by its own
/// length, so that the same step of all sequences is rounded together.
SmallVector<Value> makeAlignedLstms(NodeWriter &w, ArrayRef<Value> operands, ArrayRef<NamedAttribute> shared,
                                    const LstmDirections &all) {
  Value lengths = w.cast(operands[4], w.i64());
  auto reverse = [&](Value value) { return w.make("ReverseSequence", {value, lengths}); };
  SmallVector<SmallVector<Value>> results(3);
  for (unsigned number = 0; number < all.count(); ++number) {
    SmallVector<Value> part(operands);
    for (auto [index, operand] : llvm::enumerate(part))
      if (all.count() > 1 && index != 0 && index != 4 && operand && !onnx::isAbsent(operand))
        operand = w.make("Slice", {operand, w.ints(number), w.ints(number + 1), w.ints(0)});
    if (all.isReverse(number))
      part[0] = reverse(part[0]);
    SmallVector<Value> made =
        makeRoundedLstm(w, part, shared,
                        {"forward", takePart(all.activations, number, all.count()),
                         takePart(all.alphas, number, all.count()), takePart(all.betas, number, all.count())});
    if (w.hasFailed())
      return {};
    if (all.isReverse(number))
      made[0] = w.make("Unsqueeze", {reverse(w.make("Squeeze", {made[0], w.ints(1)})), w.ints(1)});
    for (auto [list, value] : llvm::zip_equal(results, made))
      list.push_back(value);
  }
  if (all.count() == 1)
    return {results[0][0], results[1][0], results[2][0]};
  return {w.make("Concat", results[0], w.attr("axis", 1)), w.make("Concat", results[1], w.attr("axis", 0)),
          w.make("Concat", results[2], w.attr("axis", 0))};
}

} // namespace

WrittenResults cameo::writeLinearAttention(NodeWriter &w) {
  refuseWindow(w);
  int64_t heads = w.takeInt("q_num_heads", 0), shared = w.takeInt("kv_num_heads", 0);
  w.takeInt("chunk_size", 64);
  w.expect(heads > 0 && shared > 0 && (heads % shared == 0 || shared % heads == 0),
           "expected 'q_num_heads' and 'kv_num_heads' of which one divides the other, got " + Twine(heads) + " and " +
               Twine(shared));
  w.expect(w.hasFailed() || w.rankOf(w.operand(0)) == 3, "expected a query of rank 3");
  SmallVector<NamedAttribute> attributes = {w.attr("kv_num_heads", shared), w.attr("scale", w.takeFloat("scale", 0)),
                                            w.attr("update_rule", w.takeString("update_rule", "gated_delta"))};
  if (w.hasFailed())
    return {};
  SmallVector<Value> operands;
  for (unsigned i = 0; i < w.operandCount(); ++i)
    operands.push_back(w.operand(i));
  if (shared > heads) {
    operands[0] = repeatHeads(w, operands[0], heads, shared / heads);
    heads = shared;
  }
  attributes.push_back(w.attr("q_num_heads", heads));
  return w.makeAll("LinearAttention", operands, attributes, {true, true});
}

WrittenResults cameo::writeCausalConvWithState(NodeWriter &w) {
  refuseWindow(w);
  bool isLast = w.takeInt("channels_last", 0) != 0;
  int64_t dilation = w.takeInt("dilation", 1), dimensions = w.takeInt("ndim", 1);
  w.expect(dimensions == 1, "expected an 'ndim' of 1, got " + Twine(dimensions));
  w.expect(dilation > 0, "expected a 'dilation' of 1 or more, got " + Twine(dilation));
  w.expect(w.hasFailed() || w.rankOf(w.operand(0)) == 3, "expected an input of rank 3");
  NamedAttribute activation = w.attr("activation", w.takeString("activation", "none"));
  if (w.hasFailed())
    return {};
  auto turn = [&](Value value) {
    return isLast && !isa<NoneType>(value.getType()) ? w.transpose(value, {0, 2, 1}) : value;
  };
  Value weight = dilation == 1 ? w.operand(1) : spreadTaps(w, w.operand(1), dilation);
  SmallVector<Value> made = w.makeAll(
      "CausalConvWithState", {turn(w.operand(0)), weight, w.operand(2), turn(w.operand(3))}, activation, {true, true});
  return w.hasFailed() ? made : WrittenResults{turn(made[0]), turn(made[1])};
}

/// As in ONNX Runtime, the input is rounded to 256 steps once, up to the end of the longest sequence, and the state in
/// each step.
WrittenResults cameo::writeDynamicQuantizeLSTM(NodeWriter &w) {
  LstmDirections directions{w.takeString("direction", "forward"), w.takeStrings("activations"),
                            w.takeFloats("activation_alpha"), w.takeFloats("activation_beta")};
  SmallVector<NamedAttribute> attributes = {w.attr("input_forget", w.takeInt("input_forget", 0))};
  if (w.has("hidden_size"))
    attributes.push_back(w.attr("hidden_size", w.takeInt("hidden_size", 0)));
  if (w.has("clip"))
    attributes.push_back(w.attr("clip", w.takeFloat("clip", 0)));
  bool isAligned = w.hasOperand(4) && directions.direction != "forward";
  if (isAligned && directions.count() == 2)
    for (const SmallVector<float> *numbers : {&directions.alphas, &directions.betas})
      w.expect(numbers->empty() || numbers->size() == directions.activations.size(),
               "expected a number for each activation, because the sequences have lengths, got " +
                   Twine(numbers->size()));
  Value input = w.hasOperand(4) ? clearUnusedSteps(w, w.operand(0), w.operand(4)) : w.operand(0);
  SmallVector<Value> bytes = w.makeAll("DynamicQuantizeLinear", input, {}, {true, true, true});
  SmallVector<Value> operands = {w.make("DequantizeLinear", bytes), takeWeights(w, 1, 8), takeWeights(w, 2, 10)};
  for (unsigned i = 3; i < 8; ++i)
    operands.push_back(w.operand(i));
  if (w.hasFailed())
    return {};
  return isAligned ? makeAlignedLstms(w, operands, attributes, directions)
                   : makeRoundedLstm(w, operands, attributes, directions);
}
