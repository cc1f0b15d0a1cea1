// Rewrites products and convolutions of com.microsoft, with sums and activations that are fused into them.
#include "frontend/Import/Written/MicrosoftOperators.h"

using namespace mlir;
using namespace cameo;

namespace {

/// Transposes a factor: with `turnsMatrix` swaps its last two dimensions, with `turnsBatch` first moves its first
/// dimension to the position before the last. A vector stays as it is.
Value turnFactor(NodeWriter &w, Value value, bool turnsMatrix, bool turnsBatch) {
  if (!turnsMatrix && !turnsBatch)
    return value;
  int64_t rank = w.rankOf(value);
  if (w.hasFailed() || rank < 2)
    return value;
  SmallVector<int64_t> perm;
  for (int64_t axis = 0; axis < rank; ++axis)
    perm.push_back(axis);
  // (first, between.., rows, last) becomes (between.., rows, first, last).
  if (turnsBatch)
    std::rotate(perm.begin(), perm.begin() + 1, perm.end() - 1);
  if (turnsMatrix)
    std::swap(perm[rank - 2], perm[rank - 1]);
  return w.transpose(value, perm);
}

/// Parameters of an activation: alpha, beta and gamma.
using ActivationNumbers = SmallVector<std::optional<float>>;

/// Applies the activation `name`.
Value activate(NodeWriter &w, Value x, StringRef name, const ActivationNumbers &numbers) {
  auto number = [&](size_t index, float otherwise) {
    return index < numbers.size() ? numbers[index].value_or(otherwise) : otherwise;
  };
  if (name.empty())
    return x;
  if (llvm::is_contained({"Relu", "Tanh", "Sigmoid", "Softplus", "Softsign", "HardSwish"}, name))
    return w.make(name, x);
  if (name == "LeakyRelu")
    return w.make(name, x, w.attr("alpha", number(0, 0.01f)));
  if (name == "Elu")
    return w.make(name, x, w.attr("alpha", number(0, 1)));
  if (name == "HardSigmoid")
    return w.make(name, x, {w.attr("alpha", number(0, 0.2f)), w.attr("beta", number(1, 0.5f))});
  if (name == "Selu")
    return w.make(name, x, {w.attr("alpha", number(0, 1.67326319f)), w.attr("gamma", number(2, 1.05070102f))});
  if (name == "ThresholdedRelu")
    return w.make(name, x, w.attr("alpha", number(0, 1)));
  if (name == "Clip" && numbers.size() == 2)
    return w.make(name, {x, w.number(*numbers[0], w.elementOf(x)), w.number(*numbers[1], w.elementOf(x))});
  w.expect(false, "expected a known 'activation', got '" + name + "'");
  return {};
}

ActivationNumbers takeActivationNumbers(NodeWriter &w) {
  ActivationNumbers numbers;
  for (StringRef name : {"activation_alpha", "activation_beta", "activation_gamma"})
    numbers.push_back(w.has(name) ? std::optional(w.takeFloat(name, 0)) : std::nullopt);
  return numbers;
}

/// Applies the activation that a convolution states.
Value activateConv(NodeWriter &w, Value y) {
  SmallVector<float> given = w.takeFloats("activation_params");
  std::string name = w.takeString("activation", "");
  return y ? activate(w, y, name, ActivationNumbers(given.begin(), given.end())) : y;
}

SmallVector<NamedAttribute> takeConvWindow(NodeWriter &w) {
  return takeWindow(w, {"dilations", "kernel_shape", "pads", "strides"}, {{"group", 1}});
}

} // namespace

static Value multiplyTurned(NodeWriter &w) {
  float alpha = w.takeFloat("alpha", 1);
  bool turnsA = w.takeInt("transA", 0) != 0, turnsB = w.takeInt("transB", 0) != 0;
  Value a = turnFactor(w, w.operand(0), turnsA, w.takeInt("transBatchA", 0) != 0);
  Value b = turnFactor(w, w.operand(1), turnsB, w.takeInt("transBatchB", 0) != 0);
  Value product = w.make("MatMul", {a, b});
  return alpha == 1 || !product ? product : w.make("Mul", {product, w.number(alpha, w.elementOf(product))});
}

WrittenResults cameo::writeFusedMatMul(NodeWriter &w) { return {multiplyTurned(w)}; }

WrittenResults cameo::writeFusedMatMulActivation(NodeWriter &w) {
  ActivationNumbers numbers = takeActivationNumbers(w);
  Value y = multiplyTurned(w);
  return {y ? activate(w, y, w.takeString("activation", ""), numbers) : y};
}

WrittenResults cameo::writeFusedGemm(NodeWriter &w) {
  SmallVector<NamedAttribute> attributes = {
      w.attr("transA", w.takeInt("transA", 0)), w.attr("transB", w.takeInt("transB", 0)),
      w.attr("alpha", w.takeFloat("alpha", 1)), w.attr("beta", w.takeFloat("beta", 1))};
  Value y = w.make("Gemm", {w.operand(0), w.operand(1), w.operand(2)}, attributes);
  ActivationNumbers numbers = takeActivationNumbers(w);
  return {y ? activate(w, y, w.takeString("activation", ""), numbers) : y};
}

/// Computes a Conv, adds Z, and applies the activation.
WrittenResults cameo::writeFusedConv(NodeWriter &w) {
  Value y = addOptional(w, w.make("Conv", {w.operand(0), w.operand(1), w.operand(2)}, takeConvWindow(w)), 3);
  return {activateConv(w, y)};
}

/// Rewrites NhwcConv and NhwcFusedConv, which adds an activation. Channels are last, except in the filters.
WrittenResults cameo::writeNhwcConv(NodeWriter &w) {
  Value y = moveChannelsLast(
      w, w.make("Conv", {moveChannelsFirst(w, w.operand(0)), w.operand(1), w.operand(2)}, takeConvWindow(w)));
  if (w.operandCount() > 3)
    y = addOptional(w, y, 3);
  return {activateConv(w, y)};
}

Value cameo::multiplyBytes(NodeWriter &w, ValueRange factors, Value scales) {
  return w.make("Mul", {w.cast(w.make("MatMulInteger", factors), w.f32()), scales});
}

WrittenResults cameo::writeMatMulIntegerToFloat(NodeWriter &w) {
  Value scales = w.make("Mul", {w.operand(2), w.operand(3)});
  return {addOptional(w, multiplyBytes(w, {w.operand(0), w.operand(1), w.operand(4), w.operand(5)}, scales), 6)};
}

WrittenResults cameo::writeDynamicQuantizeMatMul(NodeWriter &w) {
  SmallVector<Value> a = w.makeAll("DynamicQuantizeLinear", w.operand(0), {}, {true, true, true});
  Value scales = w.make("Mul", {a[1], w.operand(2)});
  return {addOptional(w, multiplyBytes(w, {a[0], w.operand(1), a[2], w.operand(3)}, scales), 4)};
}

/// Computes (A - zero point of A) * (B - zero point of B) in i32.
WrittenResults cameo::writeMulInteger(NodeWriter &w) {
  w.expectOperands(2);
  auto centred = [&](unsigned input) {
    Value number = w.cast(w.operand(input), w.i32());
    return w.hasOperand(input + 1) ? w.make("Sub", {number, w.cast(w.operand(input + 1), w.i32())}) : number;
  };
  return {w.make("Mul", {centred(0), centred(2)})};
}

WrittenResults cameo::writeMatMulInteger16(NodeWriter &w) {
  return {w.make("MatMul", {w.cast(w.operand(0), w.i32()), w.cast(w.operand(1), w.i32())})};
}
