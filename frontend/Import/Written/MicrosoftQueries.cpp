// GroupQueryAttention of com.microsoft, attention of decoders over caches whose entries have lengths of their own, and its rotation.
#include "frontend/Import/Written/MicrosoftOperators.h"

#include "dialects/Onnx/DimList.h"

#include <cmath>

using namespace mlir;
using namespace cameo;

namespace {

std::optional<int64_t> knownSize(Value value, int64_t fromEnd) {
  auto type = value ? dyn_cast<RankedTensorType>(value.getType()) : RankedTensorType();
  if (!type || type.getRank() <= fromEnd || type.isDynamicDim(type.getRank() - 1 - fromEnd))
    return std::nullopt;
  return type.getDimSize(type.getRank() - 1 - fromEnd);
}

/// Writes one node; its inputs under the numbers that the operator gives them.
class QueryWriter {
public:
  explicit QueryWriter(NodeWriter &w) : w(w) {}
  WrittenResults write();

private:
  void takeAttributes();
  void takeHeads();
  void findPositions();
  void rotate();
  Value store(unsigned past, Value rows);
  bool hasCapacity() const;
  Value attend();
  Value attendWithSink();
  Value allowedKeys();

  NodeWriter &w;
  int64_t heads = 0, sharedHeads = 0, window = -1;
  float scale = 0, softcap = 0;
  bool isCausal = true, isSmooth = false;
  Value q, k, v;              ///< batch, heads, length, size
  Value keys, values;         ///< with those before
  Value isPrompt, pastLength; ///< a scalar, one per entry
  Value positions;            ///< batch, length
};

void QueryWriter::takeAttributes() {
  heads = w.takeInt("num_heads", 0), sharedHeads = w.takeInt("kv_num_heads", 0), window = w.takeInt("local_window_size", -1);
  scale = w.takeFloat("scale", 0), softcap = w.takeFloat("softcap", 0);
  isCausal = w.takeInt("causal", 1) != 0;
  isSmooth = w.takeInt("smooth_softmax", 0) > 0;
  w.expect(heads > 0 && sharedHeads > 0 && heads % sharedHeads == 0,
           "expected 'num_heads' that is a multiple of 'kv_num_heads', got " + Twine(heads) + " and " + Twine(sharedHeads));
  for (StringRef name : {"k_quant_type", "v_quant_type"})
    if (std::string type = w.takeString(name, "NONE"); type != "NONE")
      w.expect(false, "expected caches of floats, got '" + name + "' " + type);
  w.takeInt("kv_cache_bit_width", 0);
  w.expect(w.takeInt("sliding_window_cache", 0) == 0, "expected caches of all positions, got 'sliding_window_cache'");
  w.expect(w.takeInt("qk_output", 0) == 0, "expected no scores as output, got 'qk_output'");
  w.expect(!w.hasOperand(12) && !w.hasOperand(13), "expected caches of floats, got scales of them");
  w.expect(w.hasOperand(5) && w.hasOperand(6), "expected 'seqlens_k' and 'total_sequence_length'");
  w.expect(w.hasOperand(1) == w.hasOperand(2), "expected key and value together");
  w.expect(w.hasOperand(3) == w.hasOperand(4), "expected past keys and values together");
}

void QueryWriter::takeHeads() {
  SmallVector<Value> parts = {w.operand(0), w.operand(1), w.operand(2)};
  w.expect(w.hasFailed() || w.rankOf(parts[0]) == 3, "expected a query of rank 3");
  if (!w.hasOperand(1)) {
    std::optional<int64_t> columns = knownSize(parts[0], 0);
    w.expect(columns && *columns % (heads + 2 * sharedHeads) == 0, "expected a packed query whose size the heads divide");
    if (w.hasFailed())
      return;
    int64_t size = *columns / (heads + 2 * sharedHeads);
    parts = w.makeAll("Split", {parts[0], w.ints({heads * size, sharedHeads * size, sharedHeads * size})}, w.attr("axis", -1), {true, true, true});
  }
  auto toHeads = [&](Value value, int64_t count) {
    return value ? w.transpose(w.reshape(value, {0, 0, count, -1}), {0, 2, 1, 3}) : value;
  };
  q = toHeads(parts[0], heads), k = toHeads(parts[1], sharedHeads), v = toHeads(parts[2], sharedHeads);
  NamedAttribute epsilon = w.attr("epsilon", w.takeFloat("qk_norm_epsilon", 1e-6f));
  if (w.hasOperand(14))
    q = w.make("RMSNormalization", {q, w.operand(14)}, epsilon);
  if (w.hasOperand(15))
    k = w.make("RMSNormalization", {k, w.operand(15)}, epsilon);
}

/// A prompt begins at 0, whatever the cache holds.
void QueryWriter::findPositions() {
  Value length = w.sizeOf(w.operand(0), 1), total = w.cast(w.make("Squeeze", w.operand(6)), w.i64());
  isPrompt = w.make("Equal", {total, length});
  Value lengths = w.make("Add", {w.cast(w.reshape(w.operand(5), {-1}), w.i64()), w.scalar(1)});
  Value before = w.make("Sub", {lengths, length});
  pastLength = w.make("Where", {w.hasOperand(3) ? isPrompt : w.make("Equal", {length, length}), w.scalar(0), before});
  positions = w.make("Add", {w.unsqueeze(pastLength, {1}), w.range(length)});
}

void QueryWriter::rotate() {
  bool isInterleaved = w.takeInt("rotary_interleaved", 0) != 0;
  if (w.takeInt("do_rotary", 0) == 0)
    return;
  w.expect(w.hasOperand(7) && w.hasOperand(8), "expected caches of cosines and sines for 'do_rotary'");
  std::optional<int64_t> columns = w.hasFailed() ? std::nullopt : knownSize(w.operand(7), 0);
  w.expect(columns.has_value(), "expected caches of cosines and sines of known size");
  if (w.hasFailed())
    return;
  Value places = w.hasOperand(9) ? w.make("Where", {isPrompt, positions, w.operand(9)}) : positions;
  SmallVector<NamedAttribute> attributes = {w.attr("interleaved", int(isInterleaved)), w.attr("rotary_embedding_dim", 2 * *columns)};
  q = w.make("RotaryEmbedding", {q, w.operand(7), w.operand(8), places}, attributes);
  k = w.make("RotaryEmbedding", {k, w.operand(7), w.operand(8), places}, attributes);
}

/// Whether the present has no more rows than the past, by what the model states and options fix: then both are one buffer for the longest sequence.
bool QueryWriter::hasCapacity() const {
  std::optional<cameo::onnx::DimList> past = cameo::onnx::getDims(w.operand(3));
  TensorType stated = w.statedType(1);
  std::optional<cameo::onnx::DimList> present = stated ? cameo::onnx::getDims(stated) : std::nullopt;
  if (!past || !present || past->size() != 4 || present->size() != 4)
    return false;
  cameo::onnx::Dim before = (*past)[2], after = (*present)[2];
  return before.isStatic() && after.isStatic() ? after.getSize() <= before.getSize() : !before.isUnknown() && before == after;
}

/// The rows at the place where each entry goes on. A cache that is no buffer gets as many rows more.
Value QueryWriter::store(unsigned past, Value rows) {
  if (!w.hasOperand(past))
    return rows;
  Value cache = hasCapacity() ? w.operand(past) : w.make("Concat", {w.operand(past), rows}, w.attr("axis", 2));
  return w.make("TensorScatter", {cache, rows, pastLength}, w.attr("axis", 2));
}

Value QueryWriter::attend() {
  Value lengths = w.make("Add", {pastLength, w.sizeOf(w.operand(0), 1)});
  SmallVector<NamedAttribute> attributes = {w.attr("is_causal", int(isCausal)), w.attr("softcap", softcap)};
  if (scale != 0)
    attributes.push_back(w.attr("scale", scale));
  if (window > 0)
    attributes.push_back(w.attr("left_window_size", window - 1));
  Value none = w.none(), bias = w.operand(10);
  return w.make("Attention", {q, keys, values, bias, none, none, lengths}, attributes);
}

/// Per entry, query and key, whether one sees the other.
Value QueryWriter::allowedKeys() {
  Value places = w.range(w.sizeOf(keys, 2)), queries = w.unsqueeze(positions, {1, 3});
  Value limit = w.unsqueeze(w.make("Add", {pastLength, w.sizeOf(q, 2)}), {1, 2, 3});
  Value allowed = isCausal ? w.make("LessOrEqual", {places, queries}) : w.make("Less", {places, limit});
  if (window > 0)
    allowed = w.make("And", {allowed, w.make("Greater", {places, w.make("Sub", {queries, w.scalar(window)})})});
  return allowed;
}

/// The softmax has one term more than there are keys, whose weight goes nowhere.
Value QueryWriter::attendWithSink() {
  std::optional<int64_t> size = knownSize(q, 0);
  w.expect(scale != 0 || size.has_value(), "expected queries of known size");
  if (w.hasFailed())
    return {};
  Type element = w.elementOf(q), f32 = w.f32();
  Value scaled = w.make("Mul", {w.cast(q, f32), w.number(scale != 0 ? scale : 1 / std::sqrt(double(*size)), f32)});
  // Heads that share keys are rows of one product.
  auto toShared = [&](Value value) { return w.reshape(value, {0, sharedHeads, -1, 0}); };
  auto toOwn = [&](Value value) { return w.reshape(value, {0, heads, -1, 0}); };
  Value scores = toOwn(w.make("MatMul", {toShared(scaled), w.transpose(w.cast(keys, f32), {0, 1, 3, 2})}));
  if (softcap > 0)
    scores = w.make("Mul", {w.make("Tanh", w.make("Div", {scores, w.number(softcap, f32)})), w.number(softcap, f32)});
  if (w.hasOperand(10)) {
    Value missing = w.make("Sub", {w.sizeOf(keys, 2), w.sizeOf(w.operand(10), 3)});
    scores = w.make("Add", {scores, w.cast(hasCapacity() ? w.lengthen(w.operand(10), 3, missing) : w.operand(10), f32)});
  }
  scores = w.make("Where", {allowedKeys(), scores, w.number(-INFINITY, f32)});
  Value sink = w.hasOperand(11) ? w.reshape(w.cast(w.operand(11), f32), {1, -1, 1, 1}) : w.floats({0}, {1, 1, 1, 1});
  Value shape = w.make("Concat", {w.make("Shape", q, {w.attr("start", 0), w.attr("end", 3)}), w.ints({1})}, w.attr("axis", 0));
  Value joined = w.make("Concat", {scores, w.make("Expand", {sink, shape})}, w.attr("axis", 3));
  Value weights = w.make("Slice", {w.make("Softmax", joined, w.attr("axis", -1)), w.ints({0}), w.ints({-1}), w.ints({3}), w.ints({1})});
  return w.cast(toOwn(w.make("MatMul", {toShared(weights), w.cast(values, f32)})), element);
}

WrittenResults QueryWriter::write() {
  takeAttributes();
  if (w.hasFailed())
    return {};
  takeHeads();
  if (w.hasFailed())
    return {};
  findPositions();
  rotate();
  if (w.hasFailed())
    return {};
  keys = store(3, k), values = store(4, v);
  if (w.hasFailed())
    return {};
  Value y = isSmooth || w.hasOperand(11) ? attendWithSink() : attend();
  return {y ? w.reshape(w.transpose(y, {0, 2, 1, 3}), {0, 0, -1}) : y, keys, values, Value()};
}

} // namespace

WrittenResults cameo::writeGroupQueryAttention(NodeWriter &w) { return QueryWriter(w).write(); }

/// Positions are those of all tokens, or an offset of the first. Unlike in the default domain, caches come behind them.
WrittenResults cameo::writeRotaryEmbedding(NodeWriter &w) {
  Value x = w.operand(0), places = w.operand(1);
  int64_t rank = w.rankOf(x), rotated = w.takeInt("rotary_embedding_dim", 0), heads = w.takeInt("num_heads", 0);
  w.expect(w.takeInt("is_packed_batching", 0) == 0, "expected sequences of a batch, got 'is_packed_batching'");
  float scale = w.takeFloat("scale", 1);
  w.expect(scale == 1, "expected a 'scale' of 1");
  w.expect(w.hasFailed() || rank == 3 || rank == 4, "expected an input of rank 3 or 4, got " + Twine(rank));
  std::optional<int64_t> size = knownSize(x, 0), columns = knownSize(w.operand(2), 0);
  if (rank == 3 && heads == 0) {
    w.expect(rotated == 0 && size && columns && *columns > 0 && *size % (2 * *columns) == 0, "expected 'num_heads', or a size that the caches divide");
    heads = w.hasFailed() ? 0 : *size / (2 * *columns);
  }
  if (w.hasFailed())
    return {};
  if (w.rankOf(places) < 2) {
    int64_t axis = rank == 3 ? 1 : 2;
    Value row = w.make("Add", {w.reshape(places, {1}), w.range(w.sizeOf(x, axis))});
    Value shape = w.make("Concat", {w.make("Shape", x, {w.attr("start", 0), w.attr("end", 1)}), w.make("Shape", x, {w.attr("start", axis), w.attr("end", axis + 1)})},
                         w.attr("axis", 0));
    places = w.make("Expand", {row, shape});
  }
  SmallVector<NamedAttribute> attributes = {w.attr("interleaved", w.takeInt("interleaved", 0)), w.attr("rotary_embedding_dim", rotated),
                                            w.attr("num_heads", rank == 3 ? heads : 0)};
  return {w.make("RotaryEmbedding", {x, w.operand(2), w.operand(3), places}, attributes)};
}
