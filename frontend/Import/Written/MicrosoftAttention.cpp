// Rewrites the attention operators of com.microsoft whose queries, keys and values have equally many heads: Attention,
// QAttention, MultiHeadAttention, DecoderMaskedMultiHeadAttention.
#include "frontend/Import/Written/MicrosoftOperators.h"

#include "dialects/Onnx/DimList.h"

#include <cfloat>

using namespace mlir;
using namespace cameo;

namespace {

/// Queries, keys and values of shape [batch, heads, length, size]. Past keys and values may be null.
struct Heads {
  Value q, k, v, pastKeys, pastValues;
};

/// Converts [batch, length, heads * size] to [batch, heads, length, size].
Value toHeads(NodeWriter &w, Value value, int64_t heads) {
  return value ? w.transpose(w.reshape(value, {0, 0, heads, -1}), {0, 2, 1, 3}) : value;
}

/// Splits the last dimension into queries, keys and values of `sizes`.
SmallVector<Value> splitColumns(NodeWriter &w, Value joined, ArrayRef<int64_t> sizes) {
  return w.makeAll("Split", {joined, w.ints(sizes)}, w.attr("axis", -1), {true, true, true});
}

int64_t takeHeads(NodeWriter &w) {
  int64_t heads = w.takeInt("num_heads", 0);
  w.expect(heads > 0, "expected 'num_heads' of 1 or more, got " + Twine(heads));
  return heads;
}

/// Returns booleans, true for each key that the mask allows, which broadcast to [batch, 1, length, total]. The mask
/// holds a length per batch entry, or all ends followed by all starts, or a positive number for each allowed key of an
/// entry or of a query.
Value allowedByMask(NodeWriter &w, Value mask, Value total, Value batchOf) {
  int64_t rank = w.rankOf(mask);
  if (w.hasFailed())
    return {};
  if (rank == 2 || rank == 3)
    return w.unsqueeze(w.make("Greater", {mask, w.cast(w.scalar(0), w.elementOf(mask))}),
                       rank == 2 ? ArrayRef<int64_t>{1, 2} : ArrayRef<int64_t>{1});
  std::optional<cameo::onnx::DimList> dims = cameo::onnx::getDims(mask), batch = cameo::onnx::getDims(batchOf);
  // Behind the lengths, a mask of 3 * batch + 2 numbers has the first positions of queries and keys without padding.
  if (rank == 1 && dims && batch && (*dims)[0] == (*batch)[0] * 3 + 2)
    return allowedByMask(
        w, w.make("Slice", {mask, w.ints({0}), w.make("Shape", batchOf, {w.attr("end", 1)}), w.ints({0})}), total,
        batchOf);
  bool areLengths = rank == 1 && dims && batch && (*dims)[0] == (*batch)[0];
  bool areBounds = rank == 1 && dims && batch && (*dims)[0] == (*batch)[0] * 2;
  w.expect(areLengths || areBounds,
           "expected a mask of lengths, of ends and starts, or per key, got another of rank " + Twine(rank));
  if (w.hasFailed())
    return {};
  Value keys = w.cast(w.range(total), w.elementOf(mask));
  auto perEntry = [&](Value lengths) { return w.unsqueeze(lengths, {1, 2, 3}); };
  if (areLengths)
    return w.make("Less", {keys, perEntry(mask)});
  Value pairs = w.reshape(mask, {2, -1});
  auto bound = [&](int64_t place) { return perEntry(w.make("Gather", {pairs, w.scalar(place)}, w.attr("axis", 0))); };
  return w.make("And", {w.make("Less", {keys, bound(0)}), w.make("GreaterOrEqual", {keys, bound(1)})});
}

/// Inputs and attributes from which the term is computed that is added to the scores.
struct Masking {
  Value mask, bias; ///< may be null
  Value batchOf;    ///< a value whose first dimension is the batch size
  float filter;     ///< added to the scores of keys that the mask does not allow
  bool isCausal;
  bool givesScores = false; ///< whether the scores are a result, in which those of hidden keys are the lowest number
};

/// Returns the mask operand of onnx.Attention: a term for the scores, or booleans; null if there is no mask.
Value makeScoreMask(NodeWriter &w, const Heads &heads, Value keys, const Masking &masking) {
  Type element = w.elementOf(heads.q);
  Value added = masking.bias, total = w.sizeOf(keys, 2);
  if (masking.mask) {
    Value allowed = allowedByMask(w, masking.mask, total, masking.batchOf);
    Value filtered = w.make("Where", {allowed, w.number(0, element), w.number(masking.filter, element)});
    added = added ? w.make("Add", {added, filtered}) : filtered;
  }
  if (!masking.isCausal)
    return added;
  Value length = w.sizeOf(heads.q, 2);
  Value queries = w.unsqueeze(w.make("Add", {w.range(length), w.make("Sub", {total, length})}), {1});
  Value allowed = w.unsqueeze(w.make("LessOrEqual", {w.range(total), queries}), {0, 1});
  if (masking.givesScores)
    return w.make("Where", {allowed, added ? added : w.number(0, element), w.number(-FLT_MAX, element)});
  return added ? w.make("Where", {allowed, added, w.number(-INFINITY, element)}) : allowed;
}

/// Returns the mask with one column for each key. ONNX's Attention ignores keys without a column, but these operators
/// require all columns, so a run with fewer is refused.
Value requireAllKeys(NodeWriter &w, Value mask, Value keys) {
  std::optional<cameo::onnx::DimList> dims = mask ? cameo::onnx::getDims(mask) : std::nullopt,
                                      keyDims = cameo::onnx::getDims(keys);
  if (!dims || dims->empty() || !keyDims || keyDims->size() != 4 || dims->back() == (*keyDims)[2])
    return mask;
  const cameo::Dim &columns = dims->back(), &total = (*keyDims)[2];
  if (columns.isStatic() && total.isStatic()) {
    w.expect(false, "expected a mask with a column for each of " + Twine(total.getSize()) + " keys, got " +
                        Twine(columns.getSize()));
    return mask;
  }
  Value rows = w.make("Shape", mask, {w.attr("end", int64_t(dims->size()) - 1)}),
        all = w.make("Shape", keys, {w.attr("start", 2), w.attr("end", 3)});
  return w.make("Reshape", {mask, w.make("Concat", {rows, all}, w.attr("axis", 0))});
}

/// Returns the result, the keys and values including the past ones, and the scores, masked, if they are a result.
SmallVector<Value> attend(NodeWriter &w, const Heads &heads, const Masking &masking) {
  Value keys = heads.pastKeys ? w.make("Concat", {heads.pastKeys, heads.k}, w.attr("axis", 2)) : heads.k;
  Value values = heads.pastValues ? w.make("Concat", {heads.pastValues, heads.v}, w.attr("axis", 2)) : heads.v;
  SmallVector<Value> nothing(4);
  float scale = w.takeFloat("scale", 0);
  if (w.hasFailed() || !keys || !values)
    return nothing;
  Value mask = requireAllKeys(w, makeScoreMask(w, heads, keys, masking), keys);
  if (w.hasFailed())
    return nothing;
  SmallVector<NamedAttribute> attributes;
  if (masking.givesScores)
    attributes.push_back(w.attr("qk_matmul_output_mode", 2));
  if (scale != 0)
    attributes.push_back(w.attr("scale", scale));
  SmallVector<Value> made = w.makeAll("Attention", {heads.q, keys, values, mask ? mask : w.none()}, attributes,
                                      {true, false, false, masking.givesScores});
  Value y = made[0] ? w.reshape(w.transpose(made[0], {0, 2, 1, 3}), {0, 0, -1}) : Value();
  return {y, keys, values, masking.givesScores ? made[3] : Value()};
}

void refuseRotation(NodeWriter &w) {
  w.expect(w.takeInt("do_rotary", 0) == 0, "expected keys and queries without rotation, got 'do_rotary'");
  w.takeInt("rotary_embedding_dim", 0);
  w.expect(w.takeInt("past_present_share_buffer", 0) == 0,
           "expected caches that grow, got 'past_present_share_buffer'");
}

/// Computes attention from `joined`, the projected queries, keys and values side by side. `past` and the second result
/// hold keys and values stacked along a first dimension of size 2.
WrittenResults attendJoined(NodeWriter &w, Value joined, ArrayRef<int64_t> sizes, Value past, Masking masking) {
  int64_t count = takeHeads(w);
  refuseRotation(w);
  SmallVector<Value> parts = splitColumns(w, joined, sizes);
  Heads heads{toHeads(w, parts[0], count), toHeads(w, parts[1], count), toHeads(w, parts[2], count), {}, {}};
  if (past) {
    heads.pastKeys = w.make("Gather", {past, w.scalar(0)}, w.attr("axis", 0));
    heads.pastValues = w.make("Gather", {past, w.scalar(1)}, w.attr("axis", 0));
  }
  masking.filter = w.takeFloat("mask_filter_value", -10000);
  masking.isCausal = w.takeInt("unidirectional", 0) != 0;
  if (w.hasFailed())
    return {};
  SmallVector<Value> made = attend(w, heads, masking);
  if (w.hasFailed() || !w.hasOutput(1))
    return {made[0], Value()};
  return {made[0], w.make("Concat", {w.unsqueeze(made[1], {0}), w.unsqueeze(made[2], {0})}, w.attr("axis", 0))};
}

/// Returns the numbers of columns of queries, keys and values in the projection matrix.
SmallVector<int64_t> takeSizes(NodeWriter &w, Value weights) {
  SmallVector<int64_t> sizes = w.takeInts("qkv_hidden_sizes");
  auto type = dyn_cast<RankedTensorType>(weights.getType());
  bool isMatrix = type && type.getRank() == 2 && type.hasStaticShape();
  w.expect(isMatrix && (sizes.empty() ? type.getDimSize(1) % 3 == 0 : sizes.size() == 3),
           "expected a matrix of known size for queries, keys and values, which 'qkv_hidden_sizes' splits");
  if (!w.hasFailed() && sizes.empty())
    sizes.assign(3, type.getDimSize(1) / 3);
  return sizes;
}

Value operandOrNull(NodeWriter &w, unsigned index) { return w.hasOperand(index) ? w.operand(index) : Value(); }

} // namespace

WrittenResults cameo::writeAttention(NodeWriter &w) {
  SmallVector<int64_t> sizes = takeSizes(w, w.operand(1));
  w.expect(!w.hasOperand(6), "expected caches that grow, got a 'past_sequence_length'");
  if (w.hasFailed())
    return {};
  Value joined = addOptional(w, w.make("MatMul", {w.operand(0), w.operand(1)}), 2);
  return attendJoined(w, joined, sizes, operandOrNull(w, 4),
                      {operandOrNull(w, 3), operandOrNull(w, 5), w.operand(0), 0, false});
}

WrittenResults cameo::writeQAttention(NodeWriter &w) {
  SmallVector<int64_t> sizes = takeSizes(w, w.operand(1));
  if (w.hasFailed())
    return {};
  Value scales = w.make("Mul", {w.operand(3), w.operand(4)});
  Value joined =
      w.make("Add", {multiplyBytes(w, {w.operand(0), w.operand(1), w.operand(6), w.operand(7)}, scales), w.operand(2)});
  return attendJoined(w, joined, sizes, operandOrNull(w, 8), {operandOrNull(w, 5), Value(), w.operand(0), 0, false});
}

namespace {

/// Returns an operand plus its part of the bias, as heads. An operand of rank 4 already has heads, and has no bias.
Value takeProjected(NodeWriter &w, unsigned operand, Value bias, int64_t heads) {
  Value value = w.operand(operand);
  if (w.rankOf(value) == 4)
    return value;
  return toHeads(w, bias ? w.make("Add", {value, bias}) : value, heads);
}

/// Returns the queries, keys or values at index `place` along axis 3 of a packed operand of rank 5.
Value takePacked(NodeWriter &w, Value packed, int64_t place) {
  return w.transpose(w.make("Gather", {packed, w.scalar(place)}, w.attr("axis", 3)), {0, 2, 1, 3});
}

Heads takeHeadsOfInputs(NodeWriter &w, int64_t count, unsigned biasInput) {
  Value query = w.operand(0), key = w.operand(1);
  SmallVector<Value> bias(3);
  if (w.rankOf(query) == 5) {
    w.expect(!w.hasOperand(1) && !w.hasOperand(2) && !w.hasOperand(biasInput),
             "expected no key, value and bias with a packed query");
    return {takePacked(w, query, 0), takePacked(w, query, 1), takePacked(w, query, 2), {}, {}};
  }
  w.expect(w.hasOperand(1), "expected a key, or a packed query of rank 5");
  auto type = dyn_cast<RankedTensorType>(query.getType());
  if (w.hasOperand(biasInput)) {
    auto biasType = dyn_cast<RankedTensorType>(w.operand(biasInput).getType());
    w.expect(type && type.getRank() == 3 && !type.isDynamicDim(2) && biasType && biasType.hasStaticShape() &&
                 biasType.getRank() == 1,
             "expected a query of known size with a bias");
    w.expect(w.hasFailed() || biasType.getDimSize(0) >= 2 * type.getShape().back(),
             "expected a bias for queries, keys and values");
    if (w.hasFailed())
      return {};
    int64_t size = type.getShape().back();
    bias = splitColumns(w, w.operand(biasInput), {size, size, biasType.getDimSize(0) - 2 * size});
  }
  if (w.hasFailed())
    return {};
  Value q = takeProjected(w, 0, bias[0], count);
  if (w.rankOf(key) == 5) {
    w.expect(!w.hasOperand(2) && !w.hasOperand(biasInput), "expected no value and bias with a packed key");
    return {q, takePacked(w, key, 0), takePacked(w, key, 1), {}, {}};
  }
  w.expect(w.hasOperand(2), "expected a value, or a packed key of rank 5");
  return w.hasFailed() ? Heads()
                       : Heads{q, takeProjected(w, 1, bias[1], count), takeProjected(w, 2, bias[2], count), {}, {}};
}

} // namespace

WrittenResults cameo::writeMultiHeadAttention(NodeWriter &w) {
  w.expect(!w.hasOperand(8) && !w.hasOperand(9),
           "expected caches that grow, got 'past_sequence_length' or 'cache_indirection'");
  w.expect(w.hasOperand(6) == w.hasOperand(7), "expected past keys and values together");
  int64_t count = takeHeads(w);
  Masking masking{operandOrNull(w, 4),
                  operandOrNull(w, 5),
                  w.operand(0),
                  w.takeFloat("mask_filter_value", -10000),
                  w.takeInt("unidirectional", 0) != 0,
                  w.hasOutput(3)};
  Heads heads = w.hasFailed() ? Heads() : takeHeadsOfInputs(w, count, 3);
  if (w.hasFailed())
    return {};
  heads.pastKeys = operandOrNull(w, 6), heads.pastValues = operandOrNull(w, 7);
  return attend(w, heads, masking);
}

/// Processes one token of each batch entry. The caches are buffers for the longest sequence, of which
/// `past_sequence_length` rows are valid, or grow by one row.
WrittenResults cameo::writeDecoderMaskedMultiHeadAttention(NodeWriter &w) {
  bool isBuffer = w.takeInt("past_present_share_buffer", 0) != 0;
  w.expect(!w.hasOperand(9), "expected no beam search, got 'cache_indirection'");
  w.expect(w.hasOperand(5) == w.hasOperand(6), "expected past keys and values together");
  w.expect(!isBuffer || !w.hasOperand(5) || w.hasOperand(7),
           "expected a 'past_sequence_length' with 'past_present_share_buffer'");
  int64_t count = takeHeads(w);
  w.takeInt("output_qk", 0);
  float filter = w.takeFloat("mask_filter_value", -10000);
  Heads heads = w.hasFailed() ? Heads() : takeHeadsOfInputs(w, count, 10);
  if (w.hasFailed())
    return {};
  Masking masking{operandOrNull(w, 3), operandOrNull(w, 4), w.operand(0), filter, false, w.hasOutput(3)};
  if (!isBuffer || !w.hasOperand(5)) {
    heads.pastKeys = operandOrNull(w, 5), heads.pastValues = operandOrNull(w, 6);
    return attend(w, heads, masking);
  }
  float scale = w.takeFloat("scale", 0);
  Value batch = w.make("Shape", w.operand(0), {w.attr("start", 0), w.attr("end", 1)});
  Value places = w.make("Expand", {w.reshape(w.cast(w.operand(7), w.i64()), {1}), batch});
  auto store = [&](unsigned past, Value row) {
    return w.make("TensorScatter", {w.operand(past), row, places}, w.attr("axis", 2));
  };
  Value keys = store(5, heads.k), values = store(6, heads.v);
  Value mask = keys ? makeScoreMask(w, heads, keys, masking) : Value();
  if (w.hasFailed())
    return {};
  SmallVector<NamedAttribute> attributes;
  if (scale != 0)
    attributes.push_back(w.attr("scale", scale));
  Value none = w.none(), lengths = w.make("Add", {places, w.scalar(1)});
  Value y = w.make("Attention", {heads.q, keys, values, mask ? mask : none, none, none, lengths}, attributes);
  return {y ? w.reshape(w.transpose(y, {0, 2, 1, 3}), {0, 0, -1}) : y, keys, values, Value()};
}
