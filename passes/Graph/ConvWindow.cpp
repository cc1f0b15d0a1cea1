#include "passes/Graph/ConvWindow.h"

#include "passes/Graph/Constants/ScalarConstant.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace cameo::graph {

Places WindowAxis::resultsOf(int64_t tap) const {
  int64_t offset = padBegin - tap * dilation;
  int64_t begin = std::max<int64_t>(0, llvm::divideCeilSigned(offset, stride));
  int64_t end = std::min(out, llvm::divideFloorSigned(in - 1 + offset, stride) + 1);
  return {begin, std::max(begin, end)};
}

double WindowAxis::usefulPart() const {
  int64_t products = 0;
  for (int64_t tap = 0; tap < taps; ++tap)
    products += resultsOf(tap).size();
  return static_cast<double>(products) / (taps * out);
}

FailureOr<Window> readWindow(onnx::ConvOp op) {
  RankedTensorType in = getStaticType(op.getX()), weight = getStaticType(op.getW()), out = getStaticType(op.getY());
  bool isWritten = op.getStrides() && op.getDilations() && op.getPads() && op.getAutoPad() == "NOTSET";
  if (!in || !weight || !out || !isWritten || op.getChannelsLast())
    return failure();
  Window window;
  int64_t rank = in.getRank() - 2;
  for (int64_t i = 0; i < rank; ++i)
    window.push_back({weight.getDimSize(2 + i), (*op.getStrides())[i], (*op.getDilations())[i], (*op.getPads())[i],
                      (*op.getPads())[rank + i], in.getDimSize(2 + i), out.getDimSize(2 + i)});
  return window;
}

SmallVector<NamedAttribute> writeWindow(OnnxBuilder &builder, const Window &window, int64_t group) {
  SmallVector<int64_t> kernel, strides, dilations, pads;
  for (const WindowAxis &axis : window) {
    kernel.push_back(axis.taps);
    strides.push_back(axis.stride);
    dilations.push_back(axis.dilation);
    pads.push_back(axis.padBegin);
  }
  for (const WindowAxis &axis : window)
    pads.push_back(axis.padEnd);
  return {builder.attr("kernel_shape", kernel), builder.attr("strides", strides), builder.attr("dilations", dilations),
          builder.attr("pads", pads), builder.attr("group", group)};
}

Value cut(OnnxBuilder &builder, Value value, int64_t axis, Places range) {
  return builder.slice(value, axis, builder.ints({range.begin}), builder.ints({range.end}));
}

} // namespace cameo::graph
