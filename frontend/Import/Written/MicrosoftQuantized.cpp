// Rewrites quantised operators of com.microsoft, which ONNX Runtime's quantiser creates and its ContribOperators.md
// specifies: dequantises the operands, computes in floats and quantises the result. Later passes fuse these steps.
#include "frontend/Import/Written/MicrosoftOperators.h"

#include "dialects/Onnx/ConstantData.h"
#include "dialects/Onnx/ElementTypes.h"

using namespace mlir;
using namespace cameo;

namespace {

/// Dequantises operand number `first` by the scale and the zero point that follow it.
Value dequantize(NodeWriter &w, unsigned first) {
  w.expectOperands({first, first + 1});
  return w.make("DequantizeLinear", {w.operand(first), w.operand(first + 1), w.operand(first + 2)});
}

/// Quantises `real`. Without a zero point the result has the element type of `like`.
WrittenResults quantizeBy(NodeWriter &w, Value real, Value scale, Value zeroPoint, Value like) {
  SmallVector<NamedAttribute> attributes;
  if (!w.hasFailed() && cameo::onnx::isAbsent(zeroPoint))
    attributes.push_back(w.attr("output_dtype", cameo::onnx::getDataTypeOf(w.elementOf(like))));
  return {w.make("QuantizeLinear", {real, scale, zeroPoint}, attributes)};
}

/// Quantises `real` by the scale and the zero point that are operands `first` and `first + 1`.
WrittenResults quantize(NodeWriter &w, Value real, unsigned first, Value like) {
  w.expectOperands(first);
  return w.hasFailed() ? WrittenResults() : quantizeBy(w, real, w.operand(first), w.operand(first + 1), like);
}

bool isChannelsLast(NodeWriter &w) { return w.takeInt("channels_last", 0) != 0; }

} // namespace

Value cameo::moveChannelsFirst(NodeWriter &w, Value value) {
  int64_t rank = w.rankOf(value);
  w.expect(w.hasFailed() || rank >= 2,
           "expected channels after a batch dimension, got a tensor of rank " + Twine(rank));
  SmallVector<int64_t> perm = {0, rank - 1};
  for (int64_t axis = 1; axis + 1 < rank; ++axis)
    perm.push_back(axis);
  return w.hasFailed() ? Value() : w.transpose(value, perm);
}

Value cameo::moveChannelsLast(NodeWriter &w, Value value) {
  if (!value)
    return {};
  SmallVector<int64_t> perm = {0};
  for (int64_t axis = 2, rank = w.rankOf(value); axis < rank; ++axis)
    perm.push_back(axis);
  perm.push_back(1);
  return w.transpose(value, perm);
}

SmallVector<NamedAttribute> cameo::takeWindow(NodeWriter &w, ArrayRef<StringRef> lists,
                                              ArrayRef<std::pair<StringRef, int64_t>> numbers) {
  SmallVector<NamedAttribute> attributes = {w.attr("auto_pad", w.takeString("auto_pad", "NOTSET"))};
  for (StringRef name : lists)
    if (w.has(name))
      attributes.push_back(w.attr(name, w.takeInts(name)));
  for (auto [name, otherwise] : numbers)
    attributes.push_back(w.attr(name, w.takeInt(name, otherwise)));
  return attributes;
}

WrittenResults cameo::writeQLinearAdd(NodeWriter &w) {
  return quantize(w, w.make("Add", {dequantize(w, 0), dequantize(w, 3)}), 6, w.operand(0));
}
WrittenResults cameo::writeQLinearMul(NodeWriter &w) {
  return quantize(w, w.make("Mul", {dequantize(w, 0), dequantize(w, 3)}), 6, w.operand(0));
}
WrittenResults cameo::writeQLinearSigmoid(NodeWriter &w) {
  return quantize(w, w.make("Sigmoid", {dequantize(w, 0)}), 3, w.operand(0));
}
WrittenResults cameo::writeQLinearWhere(NodeWriter &w) {
  return quantize(w, w.make("Where", {w.operand(0), dequantize(w, 1), dequantize(w, 4)}), 7, w.operand(1));
}

WrittenResults cameo::writeQLinearLeakyRelu(NodeWriter &w) {
  return quantize(w, w.make("LeakyRelu", {dequantize(w, 0)}, w.attr("alpha", w.takeFloat("alpha", 0.01f))), 3,
                  w.operand(0));
}

WrittenResults cameo::writeQLinearSoftmax(NodeWriter &w) {
  int64_t axis = w.takeInt("axis", -1), opset = w.takeInt("opset", 13);
  Value x = dequantize(w, 0);
  return quantize(w, opset < 13 ? softmaxFrom(w, x, axis) : w.make("Softmax", x, w.attr("axis", axis)), 3,
                  w.operand(0));
}

/// Computes the means of planes. They are rounded as in ONNX Runtime, since means of few bytes often lie halfway
/// between two steps: the exact sum of the centred bytes is multiplied by one factor.
static WrittenResults averagePlanes(NodeWriter &w, bool isLast) {
  w.expectOperands({0, 1, 3});
  int64_t rank = w.rankOf(w.operand(0));
  if (!w.hasFailed())
    w.expect(rank >= 2, "expected images, got rank " + Twine(rank));
  if (w.hasFailed())
    return {};
  SmallVector<int64_t> axes = llvm::to_vector(llvm::seq<int64_t>(isLast ? 1 : 2, isLast ? rank - 1 : rank));
  Value centred = w.cast(w.operand(0), w.i32());
  if (w.hasOperand(2))
    centred = w.make("Sub", {centred, w.cast(w.operand(2), w.i32())});
  Value sums = w.make("ReduceSum", {centred, w.ints(axes)}, w.attr("keepdims", 1));
  Value sizes = w.make("Gather", {w.make("Shape", w.operand(0)), w.ints(axes)});
  Value count = w.cast(w.make("ReduceProd", sizes, w.attr("keepdims", 0)), w.f32());
  Value factor = w.make("Div", {w.operand(1), w.make("Mul", {w.operand(3), count})});
  Value steps = w.make("Mul", {w.cast(sums, w.f32()), factor});
  return w.hasFailed() ? WrittenResults() : quantizeBy(w, steps, w.number(1, w.f32()), w.operand(4), w.operand(0));
}

WrittenResults cameo::writeQLinearGlobalAveragePool(NodeWriter &w) { return averagePlanes(w, isChannelsLast(w)); }

/// Whether each window of a pooling without padding is a whole plane of `x`.
static bool isOfPlanes(NodeWriter &w, Value x, ArrayRef<NamedAttribute> window, bool isLast) {
  auto type = dyn_cast<RankedTensorType>(x.getType());
  if (!type || type.getRank() < 3)
    return false;
  ArrayRef<int64_t> plane = type.getShape().drop_front(isLast ? 1 : 2).drop_back(isLast ? 1 : 0);
  return llvm::all_of(window, [&](const NamedAttribute &attribute) {
    auto ints = dyn_cast<DenseI64ArrayAttr>(attribute.getValue());
    if (attribute.getName() == "kernel_shape")
      return ints.asArrayRef() == plane;
    if (attribute.getName() == "pads")
      return llvm::all_of(ints.asArrayRef(), [](int64_t pad) { return pad == 0; });
    return attribute.getName() != "auto_pad" || cast<StringAttr>(attribute.getValue()) == "NOTSET";
  });
}

/// As ONNX Runtime does, adds the zero point before it rounds a mean.
WrittenResults cameo::writeQLinearAveragePool(NodeWriter &w) {
  bool isLast = isChannelsLast(w);
  SmallVector<NamedAttribute> attributes =
      takeWindow(w, {"kernel_shape", "pads", "strides"}, {{"ceil_mode", 0}, {"count_include_pad", 0}});
  w.expectOperands({0, 1, 3});
  if (w.hasFailed() || isOfPlanes(w, w.operand(0), attributes, isLast))
    return averagePlanes(w, isLast);
  Value x = dequantize(w, 0), y = w.make("AveragePool", isLast ? moveChannelsFirst(w, x) : x, attributes);
  Value steps = w.make("Div", {isLast ? moveChannelsLast(w, y) : y, w.operand(3)});
  if (w.hasOperand(4))
    steps = w.make("Add", {steps, w.cast(w.operand(4), w.f32())});
  return quantizeBy(w, steps, w.number(1, w.f32()), w.none(), w.operand(w.hasOperand(4) ? 4 : 0));
}

WrittenResults cameo::writeNhwcMaxPool(NodeWriter &w) {
  SmallVector<NamedAttribute> attributes =
      takeWindow(w, {"dilations", "kernel_shape", "pads", "strides"}, {{"ceil_mode", 0}});
  return {moveChannelsLast(w, w.make("MaxPool", moveChannelsFirst(w, w.operand(0)), attributes))};
}

/// Like the operator of ai.onnx, but the data may have its channels last. The filters never do.
WrittenResults cameo::writeQLinearConv(NodeWriter &w) {
  bool isLast = isChannelsLast(w);
  SmallVector<NamedAttribute> attributes =
      takeWindow(w, {"dilations", "kernel_shape", "pads", "strides"}, {{"group", 1}});
  SmallVector<Value> operands;
  for (unsigned i = 0; i < w.operandCount(); ++i)
    operands.push_back(w.operand(i));
  if (isLast)
    operands[0] = moveChannelsFirst(w, operands[0]);
  Value y = w.make("QLinearConv", operands, attributes);
  return {isLast ? moveChannelsLast(w, y) : y};
}

/// Operands 0 and 1 are the scale and the zero point of the result. Each input is followed by its own.
WrittenResults cameo::writeQLinearConcat(NodeWriter &w) {
  w.expect(w.operandCount() >= 5 && w.operandCount() % 3 == 2,
           "expected a scale and a zero point, and three inputs for each tensor, got " + Twine(w.operandCount()) +
               " inputs");
  w.expect(w.has("axis"), "expected attribute 'axis'");
  if (w.hasFailed())
    return {};
  SmallVector<Value> parts;
  for (unsigned first = 2; first < w.operandCount(); first += 3)
    parts.push_back(dequantize(w, first));
  return quantize(w, w.make("Concat", parts, w.attr("axis", w.takeInt("axis", 0))), 0, w.operand(2));
}

WrittenResults cameo::writeQLinearReduceMean(NodeWriter &w) {
  SmallVector<int64_t> axes = w.takeInts("axes");
  Value mean = w.make("ReduceMean", {dequantize(w, 0), axes.empty() ? w.none() : w.ints(axes)},
                      w.attr("keepdims", w.takeInt("keepdims", 1)));
  return quantize(w, mean, 3, w.operand(0));
}

/// The bias has 32 bits and the scale of the products. Without a scale for the result, the result is a float tensor.
WrittenResults cameo::writeQGemm(NodeWriter &w) {
  float alpha = w.takeFloat("alpha", 1);
  int64_t transA = w.takeInt("transA", 0), transB = w.takeInt("transB", 0);
  Value weights =
      w.make("DequantizeLinear", {w.operand(3), w.operand(4), w.operand(5)}, w.attr("axis", transB != 0 ? 0 : 1));
  SmallVector<Value> operands = {dequantize(w, 0), weights};
  if (w.hasOperand(6)) {
    Value unit = w.make("Mul", {w.make("Mul", {w.operand(1), w.operand(4)}), w.number(alpha, w.f32())});
    operands.push_back(w.make("Mul", {w.cast(w.operand(6), w.f32()), unit}));
  }
  Value y = w.make("Gemm", operands, {w.attr("transA", transA), w.attr("transB", transB), w.attr("alpha", alpha)});
  return w.hasOperand(7) ? quantize(w, y, 7, w.operand(0)) : WrittenResults{y};
}

// Like the operators of ai.onnx.

WrittenResults cameo::writeQuantizeLinear(NodeWriter &w) {
  SmallVector<NamedAttribute> attributes = {w.attr("axis", w.takeInt("axis", 1)),
                                            w.attr("block_size", w.takeInt("block_size", 0))};
  return {w.make("QuantizeLinear", {w.operand(0), w.operand(1), w.operand(2)}, attributes)};
}

WrittenResults cameo::writeDequantizeLinear(NodeWriter &w) {
  SmallVector<NamedAttribute> attributes = {w.attr("axis", w.takeInt("axis", 1)),
                                            w.attr("block_size", w.takeInt("block_size", 0))};
  return {w.make("DequantizeLinear", {w.operand(0), w.operand(1), w.operand(2)}, attributes)};
}
