// Shape rules of pooling over windows and over all spatial dimensions.
#include "dialects/Onnx/ShapeRules.h"
#include "dialects/Onnx/StatedShapes.h"
#include "dialects/Onnx/Windows.h"

using namespace mlir;
using namespace cameo;
using namespace cameo::onnx;

#define GET_OP_CLASSES
#include "dialects/Onnx/Ops/OnnxPoolOps.cpp.inc"

namespace {

/// Returns the dimensions of the result of pooling over windows; nothing if the operand is unranked.
FailureOr<std::optional<DimList>> inferPool(Operation *op, SizeConstraints &sizes, bool channelsLast) {
  if (failed(expectRank(op, 0, 3))) // pool_c1
    return failure();
  std::optional<DimList> x = getDims(op->getOperand(0));
  if (!x)
    return std::optional<DimList>();
  FailureOr<WindowedDims> windowed = getWindows(op, sizes);
  if (failed(windowed))
    return failure();
  const Dim &channels = (*x)[getChannelAxis(x->size(), channelsLast)];
  return std::optional(makeActivationDims((*x)[0], channels, windowed->output, channelsLast));
}

LogicalResult inferPool(Operation *op, SizeConstraints &sizes, bool channelsLast, SmallVectorImpl<Type> &types) {
  FailureOr<std::optional<DimList>> dims = inferPool(op, sizes, channelsLast);
  if (failed(dims))
    return failure();
  types.push_back(makeResultType(*dims, elementTypeOf(op->getOperand(0))));
  return success();
}

LogicalResult inferGlobalPool(Operation *op, bool channelsLast, SmallVectorImpl<Type> &types) {
  if (failed(expectRank(op, 0, 3))) // pool_c1
    return failure();
  std::optional<DimList> dims = getDims(op->getOperand(0));
  if (dims) {
    DimList ones(getSpatialRank(dims->size()), Dim(1));
    dims = makeActivationDims((*dims)[0], (*dims)[getChannelAxis(dims->size(), channelsLast)], ones, channelsLast);
  }
  types.push_back(makeResultType(dims, elementTypeOf(op->getOperand(0))));
  return success();
}

/// Checks the order of a norm.
LogicalResult expectNorm(Operation *op, int64_t p) {
  if (p >= 1) // lppool_c1
    return success();
  return op->emitOpError() << "expected 'p' of 1 or more, got " << p;
}

} // namespace

LogicalResult AveragePoolOp::inferResultTypes(SmallVectorImpl<Type> &types, SizeConstraints &sizes) {
  return inferPool(*this, sizes, getChannelsLast(), types);
}

LogicalResult MaxPoolOp::inferResultTypes(SmallVectorImpl<Type> &types, SizeConstraints &sizes) {
  if (getStorageOrder() != 0 && getStorageOrder() != 1) // maxpool_c1
    return emitOpError() << "expected 'storage_order' 0 or 1, got " << getStorageOrder();
  FailureOr<std::optional<DimList>> dims = inferPool(*this, sizes, getChannelsLast());
  if (failed(dims))
    return failure();
  types.push_back(makeResultType(*dims, elementTypeOf(getX())));
  types.push_back(makeResultType(*dims, IntegerType::get(getContext(), 64)));
  return success();
}

DimList MaxUnpoolOp::getPooledDims() {
  DimList dims = *getDims(getX());
  int64_t spatial = getSpatialRank(dims.size());
  for (int64_t axis = 0; axis < spatial; ++axis) {
    int64_t stride = getStrides() ? (*getStrides())[axis] : 1;
    int64_t pads = getPads() ? (*getPads())[axis] + (*getPads())[spatial + axis] : 0;
    dims[axis + 2] = addDims(mulDims(subDims(dims[axis + 2], Dim(1)), Dim(stride)), Dim(getKernelShape()[axis] - pads));
  }
  return dims;
}

LogicalResult MaxUnpoolOp::inferResultTypes(SmallVectorImpl<Type> &types, SizeConstraints &sizes) {
  if (failed(expectRank(*this, 0, 3))) // pool_c1
    return failure();
  std::optional<DimList> dims = getDims(getX());
  if (dims) {
    int64_t rank = dims->size(), spatial = getSpatialRank(rank);
    if (failed(expectDims(*this, sizes, 1, *dims, "from X"))) // maxunpool_c1, maxunpool_c2
      return failure();
    constexpr int64_t most = std::numeric_limits<int32_t>::max();
    if (failed(expectInts(*this, "kernel_shape", getKernelShape(), spatial, 1, most)) /*maxunpool_c3*/ ||
        failed(expectInts(*this, "strides", getStrides(), spatial, 1, most)) /*maxunpool_c4*/ ||
        failed(expectInts(*this, "pads", getPads(), 2 * spatial, 0, most))) // maxunpool_c5
      return failure();
    dims = getPooledDims();
    if (!isAbsent(getOutputShape())) {
      if (failed(expectDim(*this, sizes, 2, 0, Dim(rank), "sizes"))) // maxunpool_c6
        return failure();
      DimList stated = getKnownDims(getOutputShape()).value_or(DimList(rank, Dim::unknown()));
      fillStated(stated, getOutput());
      for (auto [axis, dim] : llvm::enumerate(stated)) {
        if (failed(sizes.requireAtLeast(dim, (*dims)[axis]))) // maxunpool_c7
          return emitOpError() << "expected output_shape of at least " << (*dims)[axis].getSize() << " along axis "
                               << axis << ", got " << dim.getSize();
      }
      dims = stated;
    }
  }
  types.push_back(makeResultType(dims, elementTypeOf(getX())));
  return success();
}

LogicalResult LpPoolOp::inferResultTypes(SmallVectorImpl<Type> &types, SizeConstraints &sizes) {
  return failure(failed(expectNorm(*this, getP())) || failed(inferPool(*this, sizes, getChannelsLast(), types)));
}

LogicalResult GlobalAveragePoolOp::inferResultTypes(SmallVectorImpl<Type> &types, SizeConstraints &sizes) {
  return inferGlobalPool(*this, getChannelsLast(), types);
}

LogicalResult GlobalMaxPoolOp::inferResultTypes(SmallVectorImpl<Type> &types, SizeConstraints &sizes) {
  return inferGlobalPool(*this, getChannelsLast(), types);
}

LogicalResult GlobalLpPoolOp::inferResultTypes(SmallVectorImpl<Type> &types, SizeConstraints &sizes) {
  return failure(failed(expectNorm(*this, getP())) || failed(inferGlobalPool(*this, getChannelsLast(), types)));
}
