// Quantised operators of com.microsoft, which ONNX Runtime's quantiser writes beside QLinearConv: dequantised, computed and quantised again, which
// later passes take together. By ONNX Runtime's ContribOperators.md.
#include "frontend/Import/WrittenOperators.h"

using namespace mlir;
using namespace cameo;

namespace {

/// Input `first`, with the scale and the zero point that follow it.
Value dequantize(NodeWriter &w, unsigned first) {
  return w.make("DequantizeLinear", {w.operand(first), w.operand(first + 1), w.operand(first + 2)});
}

/// By the scale and the zero point from input `first` on.
WrittenResults quantize(NodeWriter &w, Value real, unsigned first) {
  return {w.make("QuantizeLinear", {real, w.operand(first), w.operand(first + 1)})};
}

WrittenResults writeAdd(NodeWriter &w) { return quantize(w, w.make("Add", {dequantize(w, 0), dequantize(w, 3)}), 6); }
WrittenResults writeMul(NodeWriter &w) { return quantize(w, w.make("Mul", {dequantize(w, 0), dequantize(w, 3)}), 6); }
WrittenResults writeSigmoid(NodeWriter &w) { return quantize(w, w.make("Sigmoid", {dequantize(w, 0)}), 3); }
WrittenResults writeWhere(NodeWriter &w) { return quantize(w, w.make("Where", {w.operand(0), dequantize(w, 1), dequantize(w, 4)}), 7); }

WrittenResults writeLeakyRelu(NodeWriter &w) {
  NamedAttribute alpha = w.builder().getNamedAttr("alpha", w.builder().getF32FloatAttr(w.takeFloat("alpha", 0.01f)));
  return quantize(w, w.make("LeakyRelu", {dequantize(w, 0)}, alpha), 3);
}

WrittenResults writeSoftmax(NodeWriter &w) {
  int64_t axis = w.takeInt("axis", -1), opset = w.takeInt("opset", 13);
  auto type = dyn_cast<RankedTensorType>(w.operand(0).getType());
  w.expect(opset >= 13 || axis == -1 || (type && axis == type.getRank() - 1),
           "expected the last 'axis' of a Softmax of an operator set below 13, got " + Twine(axis));
  return quantize(w, w.make("Softmax", {dequantize(w, 0)}, w.attr("axis", axis)), 3);
}

void expectChannelsFirst(NodeWriter &w) { w.expect(w.takeInt("channels_last", 0) == 0, "expected channels first, got 'channels_last'"); }

WrittenResults writeGlobalAveragePool(NodeWriter &w) {
  expectChannelsFirst(w);
  return quantize(w, w.make("GlobalAveragePool", {dequantize(w, 0)}), 3);
}

WrittenResults writeAveragePool(NodeWriter &w) {
  expectChannelsFirst(w);
  SmallVector<NamedAttribute> attributes = {w.attr("auto_pad", w.takeString("auto_pad", "NOTSET"))};
  for (StringRef name : {"kernel_shape", "pads", "strides"})
    if (w.has(name))
      attributes.push_back(w.attr(name, w.takeInts(name)));
  for (StringRef name : {"ceil_mode", "count_include_pad"})
    attributes.push_back(w.attr(name, w.takeInt(name, 0)));
  return quantize(w, w.make("AveragePool", {dequantize(w, 0)}, attributes), 3);
}

/// The result's scale and zero point come first, then those of each input behind it.
WrittenResults writeConcat(NodeWriter &w) {
  w.expect(w.operandCount() >= 5 && w.operandCount() % 3 == 2,
           "expected a scale and a zero point, and three inputs for each tensor, got " + Twine(w.operandCount()) + " inputs");
  w.expect(w.has("axis"), "expected attribute 'axis'");
  if (w.hasFailed())
    return {};
  SmallVector<Value> parts;
  for (unsigned first = 2; first < w.operandCount(); first += 3)
    parts.push_back(dequantize(w, first));
  return quantize(w, w.make("Concat", parts, w.attr("axis", w.takeInt("axis", 0))), 0);
}

/// The bias is of 32 bits, in units of the products.
WrittenResults writeGemm(NodeWriter &w) {
  float alpha = w.takeFloat("alpha", 1);
  int64_t transA = w.takeInt("transA", 0), transB = w.takeInt("transB", 0);
  Value weights = w.make("DequantizeLinear", {w.operand(3), w.operand(4), w.operand(5)}, w.attr("axis", transB != 0 ? 0 : 1));
  Value unit = w.make("Mul", {w.make("Mul", {w.operand(1), w.operand(4)}), w.number(alpha, w.f32())});
  Value bias = w.make("Mul", {w.cast(w.operand(6), w.f32()), unit});
  SmallVector<NamedAttribute> attributes = {w.attr("transA", transA), w.attr("transB", transB),
                                            w.builder().getNamedAttr("alpha", w.builder().getF32FloatAttr(alpha))};
  return quantize(w, w.make("Gemm", {dequantize(w, 0), weights, bias}, attributes), 7);
}

constexpr WrittenOperator kOperators[] = {
    {"QGemm", 9, writeGemm},
    {"QLinearAdd", 8, writeAdd},
    {"QLinearAveragePool", 5, writeAveragePool},
    {"QLinearConcat", kAnyNumber, writeConcat},
    {"QLinearGlobalAveragePool", 5, writeGlobalAveragePool},
    {"QLinearLeakyRelu", 5, writeLeakyRelu},
    {"QLinearMul", 8, writeMul},
    {"QLinearSigmoid", 5, writeSigmoid},
    {"QLinearSoftmax", 5, writeSoftmax},
    {"QLinearWhere", 9, writeWhere},
};

} // namespace

ArrayRef<WrittenOperator> cameo::getMicrosoftOperators() { return kOperators; }
