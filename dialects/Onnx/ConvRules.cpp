#include "dialects/Onnx/ConvRules.h"

using namespace mlir;
using namespace cameo;
using namespace cameo::onnx;

namespace {

LogicalResult expectChannels(Operation *op, SizeConstraints &sizes, const ConvOperands &operands, const DimList &x,
                             const DimList &w) {
  const Dim &channels = x[getChannelAxis(x.size(), operands.channelsLast)];
  if (failed(sizes.requireEqual(channels, w[1] * operands.group))) // conv_c4
    return op->emitOpError() << "expected " << channels.getSize()
                             << " input channels to be those of the weights times 'group', got " << w[1].getSize()
                             << " * " << operands.group;
  if (failed(sizes.requireMultiple(w[0], operands.group))) // conv_c5
    return op->emitOpError() << "expected output channels divisible by " << operands.group << " groups, got "
                             << w[0].getSize();
  if (!operands.bias)
    return success();
  return failure(failed(expectRank(op, *operands.bias, 1, 1)) ||
                 failed(expectDim(op, sizes, *operands.bias, 0, w[0], "output channels"))); // conv_c6
}

} // namespace

LogicalResult cameo::onnx::inferConvolution(Operation *op, SizeConstraints &sizes, const ConvOperands &operands,
                                            Type elementType, SmallVectorImpl<Type> &types) {
  if (failed(expectRank(op, operands.x, 3))) // conv_c1
    return failure();
  if (operands.group < 1) // conv_c2
    return op->emitOpError() << "expected 'group' of 1 or more, got " << operands.group;
  std::optional<DimList> x = getDims(op->getOperand(operands.x)), w = getDims(op->getOperand(operands.w));
  if (!x) {
    types.push_back(makeResultType(std::nullopt, elementType));
    return success();
  }
  int64_t rank = x->size();
  if (failed(expectRank(op, operands.w, rank, rank))) // conv_c3
    return failure();
  if (w && failed(expectChannels(op, sizes, operands, *x, *w)))
    return failure();
  FailureOr<WindowedDims> windowed = getWindows(op, sizes);
  if (failed(windowed))
    return failure();
  Dim filters = w ? (*w)[0] : Dim::unknown();
  types.push_back(
      makeTensorType(makeActivationDims((*x)[0], filters, windowed->output, operands.channelsLast), elementType));
  return success();
}
