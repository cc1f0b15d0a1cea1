// Rewrites normalizations and embeddings of com.microsoft, and SimplifiedLayerNormalization, which ONNX Runtime writes
// in the default domain.
#include "frontend/Import/Written/MicrosoftOperators.h"

using namespace mlir;
using namespace cameo;

Value cameo::addOptional(NodeWriter &w, Value value, unsigned input) {
  return w.hasOperand(input) ? w.make("Add", {value, w.operand(input)}) : value;
}

namespace {

NamedAttribute takeEpsilon(NodeWriter &w, float otherwise) {
  return w.attr("epsilon", w.takeFloat("epsilon", otherwise));
}

/// Returns rows of operand number `input`, dequantized if the operand is quantized.
using RowReader = llvm::function_ref<Value(Value rows, unsigned input)>;

/// Returns the first rows of `table`, as many as there are tokens. A run with more tokens than rows is refused, because
/// the slice is required to be inside the table.
Value takeFirstRows(NodeWriter &w, Value table, Value ids) {
  auto rows = dyn_cast<RankedTensorType>(table.getType()), tokens = dyn_cast<RankedTensorType>(ids.getType());
  if (rows && tokens && rows.getRank() == 2 && tokens.getRank() == 2 && !rows.isDynamicDim(0) &&
      !tokens.isDynamicDim(1))
    w.expect(tokens.getDimSize(1) <= rows.getDimSize(0), "expected a position for each of " +
                                                             Twine(tokens.getDimSize(1)) + " tokens, got " +
                                                             Twine(rows.getDimSize(0)));
  Value count = w.make("Shape", ids, {w.attr("start", 1), w.attr("end", 2)});
  return w.make("Slice", {table, w.ints({0}), count, w.ints({0})});
}

/// Returns the sum of the embeddings of each token's word, position and segment. Without `positionIds` the positions
/// are 0, 1, ...
Value sumEmbeddings(NodeWriter &w, Value positionIds, RowReader read) {
  auto rows = [&](unsigned table, Value ids) { return read(w.make("Gather", {w.operand(table), ids}), table); };
  Value ids = w.operand(0);
  Value positions = positionIds ? rows(3, positionIds) : read(takeFirstRows(w, w.operand(3), ids), 3);
  Value sum = w.make("Add", {rows(2, ids), positions});
  w.expect(w.hasOperand(1) == w.hasOperand(4), "expected segments together with their table");
  return w.hasOperand(1) ? w.make("Add", {sum, rows(4, w.operand(1))}) : sum;
}

/// Returns for each batch entry the number of tokens with a 1 in the mask.
Value countTokens(NodeWriter &w) {
  Value mask = w.hasOperand(7) ? w.operand(7) : w.make("Sub", {w.operand(0), w.operand(0)});
  mask = w.cast(w.make("Equal", {mask, w.cast(w.scalar(1), w.elementOf(mask))}), w.i32());
  return w.cast(w.make("ReduceSum", {mask, w.ints({1})}, w.attr("keepdims", 0)), w.i32());
}

/// Creates a GroupNormalization and its activation. Channels are the last dimension unless the node states otherwise.
Value normalizeGroups(NodeWriter &w, Value x, Value gamma, Value beta) {
  bool isLast = w.takeInt("channels_last", 1) != 0;
  int64_t activation = w.takeInt("activation", 0);
  w.expect(activation == 0 || activation == 1, "expected an 'activation' of 0 or 1, got " + Twine(activation));
  SmallVector<NamedAttribute> attributes = {takeEpsilon(w, 1e-5f), w.attr("num_groups", w.takeInt("groups", 1))};
  Type element = w.elementOf(x);
  SmallVector<Value> operands = {isLast ? moveChannelsFirst(w, x) : x, w.cast(gamma, element), w.cast(beta, element)};
  Value y = w.make("GroupNormalization", operands, attributes);
  if (activation == 1)
    y = w.make("Swish", y);
  return isLast ? moveChannelsLast(w, y) : y;
}

/// Returns the reciprocal of the root of the mean of the squares from `axis` on, as f32.
Value inverseRoot(NodeWriter &w, Value x, int64_t axis, float epsilon) {
  int64_t rank = w.rankOf(x);
  SmallVector<int64_t> axes = llvm::to_vector(llvm::seq<int64_t>(axis < 0 ? axis + rank : axis, rank));
  Value wide = w.cast(x, w.f32()), mean = w.make("ReduceMean", {w.make("Mul", {wide, wide}), w.ints(axes)});
  return w.make("Reciprocal", w.make("Sqrt", w.make("Add", {mean, w.number(epsilon, w.f32())})));
}

} // namespace

WrittenResults cameo::writeSimplifiedLayerNormalization(NodeWriter &w) {
  int64_t axis = w.takeInt("axis", -1);
  float epsilon = w.takeFloat("epsilon", 1e-5f);
  SmallVector<NamedAttribute> attributes = {w.attr("axis", axis), w.attr("epsilon", epsilon),
                                            w.attr("stash_type", w.takeInt("stash_type", 1))};
  Value y = w.make("RMSNormalization", {w.operand(0), w.operand(1)}, attributes);
  return {y, w.hasOutput(1) ? inverseRoot(w, w.operand(0), axis, epsilon) : Value()};
}

WrittenResults cameo::writeSkipSimplifiedLayerNormalization(NodeWriter &w) {
  Value sum = addOptional(w, w.make("Add", {w.operand(0), w.operand(1)}), 3);
  return {w.make("RMSNormalization", {sum, w.operand(2)}, takeEpsilon(w, 1e-12f)), Value(), Value(), sum};
}

WrittenResults cameo::writeSkipLayerNormalization(NodeWriter &w) {
  Value sum = addOptional(w, w.make("Add", {w.operand(0), w.operand(1)}), 4);
  return {w.make("LayerNormalization", {sum, w.operand(2), w.operand(3)}, takeEpsilon(w, 1e-12f)), Value(), Value(),
          sum};
}

WrittenResults cameo::writeEmbedLayerNormalization(NodeWriter &w) {
  w.takeInt("mask_index_type", 0);
  w.expectOperands({2, 3, 5, 6});
  Value sum = sumEmbeddings(w, w.hasOperand(8) ? w.operand(8) : Value(), [](Value rows, unsigned) { return rows; });
  Value y = w.make("LayerNormalization", {sum, w.operand(5), w.operand(6)}, takeEpsilon(w, 1e-12f));
  return {y, w.hasOutput(1) ? countTokens(w) : Value(), sum};
}

/// The tables are quantized, and only the gathered rows are dequantized. The mask is operand 7, before the scales.
WrittenResults cameo::writeQEmbedLayerNormalization(NodeWriter &w) {
  w.expectOperands({2, 3, 5, 6});
  auto read = [&](Value rows, unsigned input) {
    unsigned scale = input + 6;
    w.expectOperands({scale, scale + 5});
    return w.make("DequantizeLinear", {rows, w.operand(scale), w.operand(scale + 5)});
  };
  Value sum = sumEmbeddings(w, Value(), read);
  Value y = w.make("LayerNormalization", {sum, read(w.operand(5), 5), read(w.operand(6), 6)}, takeEpsilon(w, 1e-12f));
  return {y, w.hasOutput(1) ? countTokens(w) : Value()};
}

WrittenResults cameo::writeGroupNorm(NodeWriter &w) {
  return {normalizeGroups(w, w.operand(0), w.operand(1), w.operand(2))};
}

/// The second summand is a tensor of the same shape, or a matrix with one number for each batch entry and channel.
WrittenResults cameo::writeSkipGroupNorm(NodeWriter &w) {
  Value skip = w.rankOf(w.operand(3)) == 2 ? w.unsqueeze(w.operand(3), {1, 2}) : w.operand(3);
  Value sum = addOptional(w, w.make("Add", {w.operand(0), skip}), 4);
  return {normalizeGroups(w, sum, w.operand(1), w.operand(2)), sum};
}

/// Normalizes groups of as many elements as there are scales, and multiplies by the SiLU of the gate.
WrittenResults cameo::writeGatedRMSNorm(NodeWriter &w) {
  Value x = w.operand(0), shape = w.make("Shape", x);
  auto scale = dyn_cast<RankedTensorType>(w.operand(1).getType());
  w.expect(scale && scale.getRank() == 1 && scale.hasStaticShape(), "expected a vector of scales of known size");
  w.expect(w.hasFailed() || w.rankOf(x) > 0, "expected a tensor of rank 1 or more, got a scalar");
  if (w.hasFailed())
    return {};
  SmallVector<int64_t> groups(w.rankOf(x), 0);
  groups.back() = -1;
  groups.push_back(scale.getDimSize(0));
  Value y = w.make("RMSNormalization", {w.reshape(x, groups), w.operand(1)}, takeEpsilon(w, 1e-5f));
  return {w.make("Mul", {w.make("Reshape", {y, shape}), w.make("Swish", w.operand(2))})};
}
