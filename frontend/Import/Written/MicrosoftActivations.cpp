// Rewrites activations of com.microsoft, and sums that are fused with them.
#include "frontend/Import/Written/MicrosoftOperators.h"

using namespace mlir;
using namespace cameo;

static Value writeTanhGelu(NodeWriter &w, Value x) {
  return w.make("Gelu", x, w.attr("approximate", StringRef("tanh")));
}

WrittenResults cameo::writeGelu(NodeWriter &w) { return {w.make("Gelu", w.operand(0))}; }
WrittenResults cameo::writeBiasGelu(NodeWriter &w) {
  return {w.make("Gelu", w.make("Add", {w.operand(0), w.operand(1)}))};
}
/// ONNX Runtime rounds the constants to six digits, so its results differ by about 1e-6.
WrittenResults cameo::writeFastGelu(NodeWriter &w) { return {writeTanhGelu(w, addOptional(w, w.operand(0), 1))}; }
WrittenResults cameo::writeQuickGelu(NodeWriter &w) {
  return {w.make("Swish", w.operand(0), w.attr("alpha", w.takeFloat("alpha", 1.702f)))};
}

WrittenResults cameo::writeGemmFastGelu(NodeWriter &w) {
  return {writeTanhGelu(w, addOptional(w, w.make("MatMul", {w.operand(0), w.operand(1)}), 2))};
}

/// Multiplies the first half of the last dimension by the Gelu of the second half.
WrittenResults cameo::writeBiasSplitGelu(NodeWriter &w) {
  Value sum = w.make("Add", {w.operand(0), w.operand(1)});
  SmallVector<Value> halves =
      w.makeAll("Split", {sum, w.none()}, {w.attr("axis", -1), w.attr("num_outputs", 2)}, {true, true});
  return {w.make("Mul", {halves[0], w.make("Gelu", halves[1])})};
}

WrittenResults cameo::writeBiasAdd(NodeWriter &w) {
  return {w.make("Add", {w.make("Add", {w.operand(0), w.operand(1)}), w.operand(2)})};
}

/// The operator computes the Softmax over all dimensions from `axis` on together. Only the last axis is supported. The
/// bias broadcasts along all dimensions before `axis`, or with `is_inner_broadcast` along some of them.
WrittenResults cameo::writeBiasSoftmax(NodeWriter &w) {
  int64_t axis = w.takeInt("axis", 1), isInner = w.takeInt("is_inner_broadcast", 1), rank = w.rankOf(w.operand(0));
  w.expect(w.hasFailed() || isInner == 0 || w.rankOf(w.operand(1)) == rank,
           "expected a bias of the rank of the data for 'is_inner_broadcast'");
  return {softmaxFrom(w, w.make("Add", {w.operand(0), w.operand(1)}), axis)};
}

Value cameo::softmaxFrom(NodeWriter &w, Value x, int64_t axis) {
  int64_t rank = w.rankOf(x);
  if (w.hasFailed() || axis == -1 || axis == rank - 1)
    return w.make("Softmax", x, w.attr("axis", -1));
  Value rows = w.make("Softmax", w.make("Flatten", x, w.attr("axis", axis)), w.attr("axis", -1));
  return w.make("Reshape", {rows, w.make("Shape", x)});
}

/// In inference, Dropout does nothing.
WrittenResults cameo::writeBiasDropout(NodeWriter &w) {
  w.takeInt("seed", 0);
  return {addOptional(w, w.make("Add", {w.operand(0), w.operand(1)}), 2), Value()};
}

WrittenResults cameo::writeBitmaskDropout(NodeWriter &w) {
  w.takeInt("seed", 0);
  return {w.operand(0), Value()};
}

WrittenResults cameo::writeGatedAdd(NodeWriter &w) {
  return {w.make("Add", {w.operand(0), w.make("Mul", {w.operand(1), w.operand(2)})})};
}

WrittenResults cameo::writeLinearAttentionGate(NodeWriter &w) {
  Value decay = w.make("Mul", {w.operand(2), w.make("Softplus", w.make("Add", {w.operand(0), w.operand(1)}))});
  return {decay, w.make("Sigmoid", w.operand(3))};
}

WrittenResults cameo::writeTrilu(NodeWriter &w) {
  return {w.make("Trilu", {w.operand(0), w.operand(1)}, w.attr("upper", w.takeInt("upper", 1)))};
}

WrittenResults cameo::writeExpandDims(NodeWriter &w) {
  return {w.make("Unsqueeze", {w.operand(0), w.reshape(w.cast(w.operand(1), w.i64()), {1})})};
}
