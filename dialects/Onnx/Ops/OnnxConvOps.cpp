// Shape rules of floating-point convolutions.
#include "dialects/Onnx/ConvRules.h"

using namespace mlir;
using namespace cameo;
using namespace cameo::onnx;

#define GET_OP_CLASSES
#include "dialects/Onnx/Ops/OnnxConvOps.cpp.inc"

LogicalResult ConvOp::inferResultTypes(SmallVectorImpl<Type> &types, SizeConstraints &sizes) {
  if (failed(expectSameElementType(*this)))
    return failure();
  return inferConvolution(*this, sizes, {/*x=*/0, /*w=*/1, /*bias=*/2, getGroup(), getChannelsLast()},
                          elementTypeOf(getX()), types);
}

LogicalResult ConvTransposeOp::inferResultTypes(SmallVectorImpl<Type> &types, SizeConstraints &sizes) {
  if (failed(expectSameElementType(*this)) || failed(expectRank(*this, 0, 3))) // convtranspose_c1
    return failure();
  std::optional<DimList> x = getDims(getX()), w = getDims(getW());
  int64_t group = getGroup();
  if (group < 1) // convtranspose_c2
    return emitOpError() << "expected 'group' of 1 or more, got " << group;
  if (!x) {
    types.push_back(makeResultType(std::nullopt, elementTypeOf(getX())));
    return success();
  }
  int64_t rank = x->size();
  if (failed(expectRank(*this, 1, rank, rank))) // convtranspose_c3
    return failure();
  const Dim &channels = (*x)[getChannelAxis(rank, getChannelsLast())];
  if (failed(sizes.requireMultiple(channels, group))) // convtranspose_c4
    return emitOpError() << "expected input channels divisible by " << group << " groups, got " << channels.getSize();
  Dim filters = w ? mulDims((*w)[1], Dim(group)) : Dim::unknown();
  if (failed(expectDim(*this, sizes, 1, 0, channels, "input channels")) /*convtranspose_c5*/ ||
      failed(expectRank(*this, 2, 1, 1)) ||
      failed(expectDim(*this, sizes, 2, 0, filters, "output channels"))) // convtranspose_c6
    return failure();
  FailureOr<WindowedDims> windowed = getWindows(*this, sizes);
  if (failed(windowed))
    return failure();
  types.push_back(
      makeTensorType(makeActivationDims((*x)[0], filters, windowed->output, getChannelsLast()), elementTypeOf(getX())));
  return success();
}

/// Checks that an operand has `factor` values per tap and offset group for each element of the result.
static LogicalResult expectPerTap(DeformConvOp op, SizeConstraints &sizes, unsigned operand, int64_t factor,
                                  const WindowedDims &windows) {
  std::optional<DimList> x = getDims(op.getX());
  int64_t rank = x->size();
  Dim count = Dim(factor) * Dim(op.getOffsetGroup());
  for (const Window &window : windows.windows)
    count = count * window.kernel;
  if (failed(expectRank(op, operand, rank, rank)) || failed(expectDim(op, sizes, operand, 0, x->front(), "batch")) ||
      failed(expectDim(op, sizes, operand, 1, count, "values of all taps")))
    return failure();
  for (auto [i, dim] : llvm::enumerate(windows.output))
    if (failed(expectDim(op, sizes, operand, 2 + i, dim, "size of the result")))
      return failure();
  return success();
}

LogicalResult DeformConvOp::inferResultTypes(SmallVectorImpl<Type> &types, SizeConstraints &sizes) {
  if (failed(expectSameElementType(*this)) ||
      failed(inferConvolution(*this, sizes, {/*x=*/0, /*w=*/1, /*bias=*/3, getGroup(), /*channelsLast=*/false},
                              elementTypeOf(getX()), types)))
    return failure();
  std::optional<DimList> x = getDims(getX());
  if (getOffsetGroup() < 1) // deformconv_c1
    return emitOpError() << "expected 'offset_group' of 1 or more, got " << getOffsetGroup();
  if (!x)
    return success();
  if (failed(sizes.requireMultiple((*x)[1], getOffsetGroup()))) // deformconv_c2
    return emitOpError() << "expected input channels divisible by " << getOffsetGroup() << " offset groups, got "
                         << (*x)[1].getSize();
  FailureOr<WindowedDims> windows = getWindows(*this, sizes);
  if (failed(windows) || failed(expectPerTap(*this, sizes, 2, x->size() - 2, *windows))) // deformconv_c3
    return failure();
  return isAbsent(getMask()) ? success() : expectPerTap(*this, sizes, 4, 1, *windows); // deformconv_c4
}
