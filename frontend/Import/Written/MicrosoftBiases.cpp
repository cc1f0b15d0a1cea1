// Rewrites the operators of com.microsoft that compute attention biases from relative positions.
#include "frontend/Import/Written/MicrosoftOperators.h"

#include <cmath>

using namespace mlir;
using namespace cameo;

namespace {

/// Returns the bucket of each distance between a key and a query, as T5 does: each small distance has its own bucket,
/// and larger ones share buckets by their logarithm.
Value findBuckets(NodeWriter &w, Value distance, int64_t count) {
  bool isBidirectional = w.takeInt("is_bidirectional", 0) != 0;
  int64_t most = w.takeInt("max_distance", 0), buckets = isBidirectional ? count / 2 : count, exact = buckets / 2;
  w.expect(exact > 0 && most > exact, "expected a 'max_distance' above " + Twine(exact) +
                                          " and buckets for each side, got " + Twine(most) + " and " + Twine(count));
  if (w.hasFailed())
    return {};
  Type f32 = w.f32();
  Value zero = w.scalar(0),
        size = isBidirectional ? w.make("Abs", distance) : w.make("Neg", w.make("Min", {distance, zero}));
  // The logarithm is not used for small distances; the maximum with 1 keeps it finite.
  Value far = w.make("Log", w.make("Div", {w.cast(w.make("Max", {size, w.scalar(1)}), f32), w.number(exact, f32)}));
  Value scaled = w.make(
      "Mul", {w.make("Div", {far, w.number(std::log(double(most) / exact), f32)}), w.number(buckets - exact, f32)});
  Value shared = w.make("Min", {w.make("Add", {w.cast(scaled, w.i64()), w.scalar(exact)}), w.scalar(buckets - 1)});
  Value bucket = w.make("Where", {w.make("Less", {size, w.scalar(exact)}), size, shared});
  if (!isBidirectional)
    return bucket;
  return w.make("Add", {bucket, w.make("Where", {w.make("Greater", {distance, zero}), w.scalar(buckets), zero})});
}

} // namespace

/// Returns a bias of shape [1, heads, queries, keys] that depends on the distance of key and query.
WrittenResults cameo::writeRelativePositionBias(NodeWriter &w) {
  Value table = w.operand(0);
  auto type = dyn_cast<RankedTensorType>(table.getType());
  w.expect(type && type.getRank() == 2 && !type.isDynamicDim(0), "expected a table of buckets and heads of known size");
  if (w.hasFailed())
    return {};
  auto places = [&](unsigned operand) { return w.range(w.reshape(w.cast(w.operand(operand), w.i64()), {})); };
  Value distance = w.make("Sub", {places(2), w.unsqueeze(places(1), {1})});
  Value bias = w.make("Gather", {table, findBuckets(w, distance, type.getDimSize(0))}, w.attr("axis", 0));
  return {w.unsqueeze(bias ? w.transpose(bias, {2, 0, 1}) : bias, {0})};
}

/// Scales a bias by a gate that is computed from each query, as in WavLM.
WrittenResults cameo::writeGatedRelativePositionBias(NodeWriter &w) {
  int64_t heads = w.takeInt("num_heads", 0);
  w.expect(heads > 0, "expected 'num_heads' of 1 or more, got " + Twine(heads));
  w.expect(!w.hasOperand(6), "expected queries of a batch, got a 'token_offset'");
  w.expect(w.hasFailed() || w.rankOf(w.operand(0)) == 3, "expected a query of rank 3");
  if (w.hasFailed())
    return {};
  Value query = w.transpose(w.reshape(w.make("Add", {w.operand(0), w.operand(1)}), {0, 0, heads, -1}), {0, 2, 1, 3});
  Value pairs = w.reshape(w.make("Add", {w.make("MatMul", {query, w.operand(3)}), w.operand(4)}), {0, 0, 0, 2, -1});
  Value gates = w.make("Sigmoid", w.make("ReduceSum", {pairs, w.ints({4})}, w.attr("keepdims", 0)));
  SmallVector<Value> parts =
      w.makeAll("Split", {gates, w.none()}, {w.attr("axis", -1), w.attr("num_outputs", 2)}, {true, true});
  Type element = w.elementOf(query);
  Value inner = w.make("Sub", {w.make("Mul", {parts[1], w.operand(5)}), w.number(1, element)});
  Value scale = w.make("Add", {w.make("Mul", {parts[0], inner}), w.number(2, element)});
  return {w.make("Mul", {scale, w.operand(2)})};
}
