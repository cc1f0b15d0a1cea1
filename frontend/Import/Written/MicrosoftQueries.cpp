// Rewrites GroupQueryAttention of com.microsoft, the attention of decoders over caches with a length per batch entry,
// and SparseAttention, in which a query only sees some blocks of keys.
#include "frontend/Import/Written/MicrosoftOperators.h"

#include "dialects/Onnx/DimList.h"

#include <cmath>

using namespace mlir;
using namespace cameo;

std::optional<int64_t> cameo::knownSize(Value value, int64_t fromEnd) {
  auto type = value ? dyn_cast<RankedTensorType>(value.getType()) : RankedTensorType();
  if (!type || type.getRank() <= fromEnd || type.isDynamicDim(type.getRank() - 1 - fromEnd))
    return std::nullopt;
  return type.getDimSize(type.getRank() - 1 - fromEnd);
}

namespace {

/// Rewrites one node. The numbers of operands are those of the operator's specification.
class QueryWriter {
public:
  explicit QueryWriter(NodeWriter &w) : w(w) {}
  WrittenResults write();
  WrittenResults writeSparse();

private:
  void takeHeadCounts();
  void takeAttributes();
  void takeHeads();
  void normalizeHeads();
  void findPositions(Value total, Value lengths);
  Value statedPositions();
  void rotate(unsigned cosines, Value places);
  Value scaleOf(unsigned input, int64_t count);
  Value toCache(Value rows, unsigned past);
  Value store(unsigned past, Value rows);
  Value attendCaches();
  bool hasCapacity() const;
  Value attend(Value mask);
  Value attendWithSink();
  Value allowedKeys();
  Value withoutHidden(Value given);
  Value makeBlockMask();
  Value makeSparseMask(int64_t block);

  NodeWriter &w;
  int64_t heads = 0, sharedHeads = 0, window = -1;
  float scale = 0, softcap = 0;
  bool isCausal = true, isSmooth = false;
  int64_t scoresOutput = 0;   ///< whether output 3 is the scores before (1) or behind (2) the softmax
  bool isQuantized = false;   ///< whether the caches hold integers
  Value q, k, v;              ///< of shape [batch, heads, length, size]
  Value scores;               ///< output 3
  Value keys, values;         ///< including the past ones
  Value isPrompt, pastLength; ///< a scalar, and a vector with one number per batch entry
  Value positions;            ///< of shape [batch, length]
};

void QueryWriter::takeHeadCounts() {
  heads = w.takeInt("num_heads", 0), sharedHeads = w.takeInt("kv_num_heads", 0), scale = w.takeFloat("scale", 0);
  w.expect(heads > 0 && sharedHeads > 0 && heads % sharedHeads == 0,
           "expected 'num_heads' that is a multiple of 'kv_num_heads', got " + Twine(heads) + " and " +
               Twine(sharedHeads));
  w.expect(w.hasOperand(1) == w.hasOperand(2), "expected key and value together");
}

void QueryWriter::takeAttributes() {
  takeHeadCounts();
  window = w.takeInt("local_window_size", -1), softcap = w.takeFloat("softcap", 0);
  isCausal = w.takeInt("causal", 1) != 0;
  isSmooth = w.takeInt("smooth_softmax", 0) > 0;
  std::string keyType = w.takeString("k_quant_type", "NONE"), valueType = w.takeString("v_quant_type", "NONE");
  isQuantized = keyType != "NONE";
  w.expect(isQuantized == (valueType != "NONE"), "expected 'k_quant_type' and 'v_quant_type' of both or of none");
  for (StringRef type : {StringRef(keyType), StringRef(valueType)})
    w.expect(type == "NONE" || type == "PER_TENSOR" || type == "PER_CHANNEL",
             "expected a type NONE, PER_TENSOR or PER_CHANNEL of caches, got " + type);
  int64_t bits = w.takeInt("kv_cache_bit_width", 0);
  w.expect(bits == 0 || !isQuantized || bits == 8, "expected 'kv_cache_bit_width' of 8, got " + Twine(bits));
  w.expect(w.takeInt("sliding_window_cache", 0) == 0, "expected caches of all positions, got 'sliding_window_cache'");
  scoresOutput = w.takeInt("qk_output", 0);
  w.expect(scoresOutput >= 0 && scoresOutput <= 2, "expected a 'qk_output' of 0 to 2, got " + Twine(scoresOutput));
  w.expect(!w.hasOutput(3) || scoresOutput != 0, "expected a 'qk_output' of 1 or 2 with output 3");
  w.expect(!w.hasOutput(3) || !w.hasOperand(3) || !hasCapacity(), "expected caches that grow with output 3");
  w.expect(w.hasOperand(12) == isQuantized && w.hasOperand(13) == isQuantized,
           "expected scales of the caches if and only if they contain integers");
  w.expect(w.hasOperand(5) && w.hasOperand(6), "expected 'seqlens_k' and 'total_sequence_length'");
  w.expect(w.hasOperand(3) == w.hasOperand(4), "expected past keys and values together");
  for (unsigned past : {3, 4})
    w.expect(!isQuantized || (w.hasOperand(past) && w.elementOf(w.operand(past)).isInteger(8)),
             "expected past keys and values of int8");
}

void QueryWriter::takeHeads() {
  SmallVector<Value> parts = {w.operand(0), w.operand(1), w.operand(2)};
  w.expect(w.hasFailed() || w.rankOf(parts[0]) == 3, "expected a query of rank 3");
  if (!w.hasOperand(1)) {
    std::optional<int64_t> columns = knownSize(parts[0], 0);
    w.expect(columns && *columns % (heads + 2 * sharedHeads) == 0,
             "expected a packed query whose size the heads divide");
    if (w.hasFailed())
      return;
    int64_t size = *columns / (heads + 2 * sharedHeads);
    parts = w.makeAll("Split", {parts[0], w.ints({heads * size, sharedHeads * size, sharedHeads * size})},
                      w.attr("axis", -1), {true, true, true});
  }
  auto toHeads = [&](Value value, int64_t count) {
    return value ? w.transpose(w.reshape(value, {0, 0, count, -1}), {0, 2, 1, 3}) : value;
  };
  q = toHeads(parts[0], heads), k = toHeads(parts[1], sharedHeads), v = toHeads(parts[2], sharedHeads);
}

/// Normalises the heads of queries and keys. Only GroupQueryAttention does this.
void QueryWriter::normalizeHeads() {
  NamedAttribute epsilon = w.attr("epsilon", w.takeFloat("qk_norm_epsilon", 1e-6f));
  if (w.hasOperand(14))
    q = w.make("RMSNormalization", {q, w.operand(14)}, epsilon);
  if (w.hasOperand(15))
    k = w.make("RMSNormalization", {k, w.operand(15)}, epsilon);
}

/// Computes isPrompt, pastLength and positions. A prompt begins at position 0, whatever the cache holds. `lengths` are
/// the lengths of the batch entries including the new tokens.
void QueryWriter::findPositions(Value total, Value lengths) {
  Value length = w.sizeOf(w.operand(0), 1);
  isPrompt = w.make("Equal", {w.cast(w.make("Squeeze", total), w.i64()), length});
  Value before = w.make("Sub", {lengths, length});
  pastLength = w.make("Where", {w.hasOperand(3) ? isPrompt : w.make("Equal", {length, length}), w.scalar(0), before});
  positions = w.make("Add", {w.unsqueeze(pastLength, {1}), w.range(length)});
}

/// Returns the positions that the node states. Those of a prompt follow its first one.
Value QueryWriter::statedPositions() {
  Value first = w.make("Gather", {w.reshape(w.operand(9), {-1}), w.scalar(0)});
  return w.make("Where", {isPrompt, w.make("Add", {w.range(w.sizeOf(w.operand(0), 1)), first}), w.operand(9)});
}

/// Rotates queries and keys if the node requires it. Operand `cosines` holds the cosines, the next one the sines.
void QueryWriter::rotate(unsigned cosines, Value places) {
  bool isInterleaved = w.takeInt("rotary_interleaved", 0) != 0;
  if (w.takeInt("do_rotary", 0) == 0)
    return;
  w.expect(w.hasOperand(cosines) && w.hasOperand(cosines + 1), "expected caches of cosines and sines for 'do_rotary'");
  std::optional<int64_t> columns = w.hasFailed() ? std::nullopt : knownSize(w.operand(cosines), 0);
  w.expect(columns.has_value(), "expected caches of cosines and sines of known size");
  if (w.hasFailed())
    return;
  SmallVector<NamedAttribute> attributes = {w.attr("interleaved", int(isInterleaved)),
                                            w.attr("rotary_embedding_dim", 2 * *columns)};
  q = w.make("RotaryEmbedding", {q, w.operand(cosines), w.operand(cosines + 1), places}, attributes);
  k = w.make("RotaryEmbedding", {k, w.operand(cosines), w.operand(cosines + 1), places}, attributes);
}

/// Whether the present has no more rows than the past, according to the stated types and the sizes that options fix.
/// The cache is then one buffer for the longest sequence.
bool QueryWriter::hasCapacity() const {
  std::optional<cameo::onnx::DimList> past = cameo::onnx::getDims(w.operand(3));
  TensorType stated = w.statedType(1);
  std::optional<cameo::onnx::DimList> present = stated ? cameo::onnx::getDims(stated) : std::nullopt;
  if (!past || !present || past->size() != 4 || present->size() != 4)
    return false;
  cameo::Dim before = (*past)[2], after = (*present)[2];
  return before.isStatic() && after.isStatic() ? after.getSize() <= before.getSize()
                                               : !before.isUnknown() && before == after;
}

/// Returns the scale of a quantised cache for `count` heads, which share the heads of the cache: a scalar, or one
/// number per head and channel.
Value QueryWriter::scaleOf(unsigned input, int64_t count) {
  auto type = dyn_cast<RankedTensorType>(w.operand(input).getType());
  w.expect(type && type.hasStaticShape(), "expected scales of known shape");
  if (w.hasFailed())
    return {};
  Value scale = w.cast(w.operand(input), w.f32());
  if (type.getNumElements() == 1)
    return w.reshape(scale, {});
  Value tiled = w.make("Tile", {w.reshape(scale, {sharedHeads, 1, -1}), w.ints({1, count / sharedHeads, 1})});
  return w.reshape(tiled, {1, count, 1, -1});
}

/// Converts new rows to the element type of the cache in operand `past`. Its scales are operand `past + 9`.
Value QueryWriter::toCache(Value rows, unsigned past) {
  if (!w.hasOperand(past))
    return rows;
  if (isQuantized) {
    Value units = w.make("Round", w.make("Div", {w.cast(rows, w.f32()), scaleOf(past + 9, sharedHeads)}));
    rows = w.make("Clip", {units, w.number(-128, w.f32()), w.number(127, w.f32())});
  }
  return w.cast(rows, w.elementOf(w.operand(past)));
}

/// Returns the cache with the new rows written at the past length of each batch entry. A cache without room for them is
/// extended by as many rows first.
Value QueryWriter::store(unsigned past, Value rows) {
  if (!w.hasOperand(past))
    return rows;
  rows = toCache(rows, past);
  Value cache = hasCapacity() ? w.operand(past) : w.make("Concat", {w.operand(past), rows}, w.attr("axis", 2));
  return w.make("TensorScatter", {cache, rows, pastLength}, w.attr("axis", 2));
}

Value QueryWriter::attend(Value mask) {
  Value lengths = w.make("Add", {pastLength, w.sizeOf(w.operand(0), 1)});
  SmallVector<NamedAttribute> attributes = {w.attr("is_causal", int(isCausal)), w.attr("softcap", softcap)};
  if (scale != 0)
    attributes.push_back(w.attr("scale", scale));
  if (window > 0)
    attributes.push_back(w.attr("left_window_size", window - 1));
  if (w.hasOutput(3))
    attributes.push_back(w.attr("qk_matmul_output_mode", scoresOutput == 2 ? 3 : 2));
  Value none = w.none();
  SmallVector<Value> made = w.makeAll("Attention", {q, keys, values, mask, none, none, lengths}, attributes,
                                      {true, false, false, w.hasOutput(3)});
  if (w.hasOutput(3))
    scores = scoresOutput == 1 ? withoutHidden(made[3]) : made[3];
  return made[0];
}

/// Returns scores with zeros where a query does not see a key.
Value QueryWriter::withoutHidden(Value given) {
  return w.make("Where", {allowedKeys(), given, w.number(0, w.elementOf(given))});
}

/// Returns for each batch entry, query and key whether the query sees the key, as booleans that broadcast to the
/// scores.
Value QueryWriter::allowedKeys() {
  Value places = w.range(w.sizeOf(keys, 2)), queries = w.unsqueeze(positions, {1, 3});
  Value limit = w.unsqueeze(w.make("Add", {pastLength, w.sizeOf(q, 2)}), {1, 2, 3});
  Value allowed = isCausal ? w.make("LessOrEqual", {places, queries}) : w.make("Less", {places, limit});
  if (window > 0)
    allowed = w.make("And", {allowed, w.make("Greater", {places, w.make("Sub", {queries, w.scalar(window)})})});
  return allowed;
}

/// Computes attention with an additional term in each softmax, the sink, whose weight is not used.
Value QueryWriter::attendWithSink() {
  std::optional<int64_t> size = knownSize(q, 0);
  w.expect(scale != 0 || size.has_value(), "expected queries of known size");
  if (w.hasFailed())
    return {};
  Type element = w.elementOf(q), f32 = w.f32();
  Value scaled = w.make("Mul", {w.cast(q, f32), w.number(scale != 0 ? scale : 1 / std::sqrt(double(*size)), f32)});
  // The queries of heads that share keys become rows of one product.
  auto toShared = [&](Value value) { return w.reshape(value, {0, sharedHeads, -1, 0}); };
  auto toOwn = [&](Value value) { return w.reshape(value, {0, heads, -1, 0}); };
  scores = toOwn(w.make("MatMul", {toShared(scaled), w.transpose(w.cast(keys, f32), {0, 1, 3, 2})}));
  if (softcap > 0)
    scores = w.make("Mul", {w.make("Tanh", w.make("Div", {scores, w.number(softcap, f32)})), w.number(softcap, f32)});
  if (w.hasOperand(10)) {
    Value missing = w.make("Sub", {w.sizeOf(keys, 2), w.sizeOf(w.operand(10), 3)});
    scores =
        w.make("Add", {scores, w.cast(hasCapacity() ? w.lengthen(w.operand(10), 3, missing) : w.operand(10), f32)});
  }
  scores = w.make("Where", {allowedKeys(), scores, w.number(-INFINITY, f32)});
  Value sink = w.hasOperand(11) ? w.reshape(w.cast(w.operand(11), f32), {1, -1, 1, 1}) : w.floats({0}, {1, 1, 1, 1});
  Value shape =
      w.make("Concat", {w.make("Shape", q, {w.attr("start", 0), w.attr("end", 3)}), w.ints({1})}, w.attr("axis", 0));
  Value joined = w.make("Concat", {scores, w.make("Expand", {sink, shape})}, w.attr("axis", 3));
  Value weights = w.make(
      "Slice", {w.make("Softmax", joined, w.attr("axis", -1)), w.ints({0}), w.ints({-1}), w.ints({3}), w.ints({1})});
  if (w.hasOutput(3))
    scores = w.cast(scoresOutput == 1 ? withoutHidden(scores) : weights, element);
  return w.cast(toOwn(w.make("MatMul", {toShared(weights), w.cast(values, f32)})), element);
}

/// Computes attention over the caches. The scales of quantised caches are applied to the queries and to the result, so
/// that the caches are only converted.
Value QueryWriter::attendCaches() {
  Type element = w.elementOf(q);
  keys = w.cast(keys, element), values = w.cast(values, element);
  if (isQuantized)
    q = w.cast(w.make("Mul", {w.cast(q, w.f32()), scaleOf(12, heads)}), element);
  Value y = isSmooth || w.hasOperand(11) ? attendWithSink() : attend(w.operand(10));
  if (isQuantized)
    y = w.cast(w.make("Mul", {w.cast(y, w.f32()), scaleOf(13, heads)}), element);
  return y;
}

WrittenResults QueryWriter::write() {
  takeAttributes();
  if (w.hasFailed())
    return {};
  takeHeads();
  if (w.hasFailed())
    return {};
  normalizeHeads();
  findPositions(w.operand(6), w.make("Add", {w.cast(w.reshape(w.operand(5), {-1}), w.i64()), w.scalar(1)}));
  rotate(7, w.hasOperand(9) ? statedPositions() : positions);
  if (w.hasFailed())
    return {};
  Value presentKeys = store(3, k), presentValues = store(4, v);
  keys = presentKeys, values = presentValues;
  if (w.hasFailed())
    return {};
  Value y = attendCaches();
  return {y ? w.reshape(w.transpose(y, {0, 2, 1, 3}), {0, 0, -1}) : y, presentKeys, presentValues,
          w.hasOutput(3) ? scores : Value()};
}

/// Returns a tensor of shape [layouts, blocks of queries, blocks of keys + 1], positive where a block of queries sees a
/// block of keys. It is a compressed sparse row format: `block_row_indices` holds the start of each row in
/// `block_col_indices`.
Value QueryWriter::makeBlockMask() {
  std::optional<int64_t> bounds = knownSize(w.operand(5), 0), layouts = knownSize(w.operand(5), 1),
                         columns = knownSize(w.operand(6), 0);
  w.expect(bounds && layouts && columns && *bounds > 1 && *layouts > 0 && heads % *layouts == 0,
           "expected 'block_row_indices' and 'block_col_indices' of known size, for a number of layouts that divides "
           "the heads");
  if (w.hasFailed())
    return {};
  int64_t blocks = *bounds - 1;
  Value ends = w.make("Slice", {w.cast(w.operand(5), w.i64()), w.ints({1}), w.ints({*bounds}), w.ints({1})});
  // The row of a column index is the number of rows that end at or before it. Column indices of -1 only pad a layout,
  // and set the additional last column.
  Value isBehind = w.cast(w.make("LessOrEqual", {w.unsqueeze(ends, {2}), w.range(w.scalar(*columns))}), w.i64());
  Value rows =
      w.make("Min", {w.make("ReduceSum", {isBehind, w.ints({1})}, w.attr("keepdims", 0)), w.scalar(blocks - 1)});
  Value given = w.cast(w.operand(6), w.i64());
  Value places = w.make("Where", {w.make("Less", {given, w.scalar(0)}), w.scalar(blocks), given});
  Value flat = w.make("Add", {w.make("Mul", {rows, w.scalar(blocks + 1)}), places});
  Value none = w.make("Expand", {w.number(0, w.f32()), w.ints({*layouts, blocks * (blocks + 1)})}),
        one = w.make("Expand", {w.number(1, w.f32()), w.ints({*layouts, *columns})});
  return w.reshape(w.make("ScatterElements", {none, flat, one}, w.attr("axis", 1)), {*layouts, blocks, blocks + 1});
}

/// Returns a mask of shape [batch, heads, queries, keys]. The heads use the layouts in turn.
Value QueryWriter::makeSparseMask(int64_t block) {
  Value blocks = makeBlockMask();
  if (w.hasFailed())
    return {};
  auto blockOf = [&](Value places) { return w.make("Div", {places, w.scalar(block)}); };
  Value rows = w.make("Gather", {blocks, blockOf(positions)}, w.attr("axis", 1));
  Value seen = w.make("Gather", {rows, blockOf(w.range(w.sizeOf(keys, 2)))}, w.attr("axis", 3));
  Value perLayout = w.transpose(seen, {1, 0, 2, 3});
  int64_t times = heads / *knownSize(blocks, 2);
  Value tiled = w.make("Tile", {perLayout, w.ints({1, times, 1, 1})});
  return w.make("Greater", {tiled, w.number(0, w.f32())});
}

/// The caches of SparseAttention are buffers for the longest sequence.
WrittenResults QueryWriter::writeSparse() {
  takeHeadCounts();
  int64_t block = w.takeInt("sparse_block_size", 0);
  w.expect(block > 0, "expected 'sparse_block_size' of 1 or more, got " + Twine(block));
  w.expectOperands({3, 4, 5, 6, 7, 8});
  if (w.hasFailed())
    return {};
  takeHeads();
  if (w.hasFailed())
    return {};
  findPositions(w.operand(7), w.cast(w.reshape(w.operand(8), {-1}), w.i64()));
  rotate(9, positions);
  keys = w.make("TensorScatter", {w.operand(3), k, pastLength}, w.attr("axis", 2));
  values = w.make("TensorScatter", {w.operand(4), v, pastLength}, w.attr("axis", 2));
  Value mask = makeSparseMask(block), y = attend(mask);
  return {y ? w.reshape(w.transpose(y, {0, 2, 1, 3}), {0, 0, -1}) : y, keys, values};
}

} // namespace

WrittenResults cameo::writeSparseAttention(NodeWriter &w) { return QueryWriter(w).writeSparse(); }
WrittenResults cameo::writeGroupQueryAttention(NodeWriter &w) { return QueryWriter(w).write(); }
