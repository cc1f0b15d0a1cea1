// Shape rules of normalisations, Softmax and similar operators: results have the shape of the first operand.
#include "dialects/Onnx/ShapeRules.h"
#include "dialects/Onnx/Windows.h"

using namespace mlir;
using namespace cameo;
using namespace cameo::onnx;

#define GET_OP_CLASSES
#include "dialects/Onnx/Ops/OnnxNormOps.cpp.inc"

namespace {

/// Returns the channels of the first operand, which must have at least `leastRank` dimensions; unknown if it is
/// unranked.
FailureOr<Dim> channelsOf(Operation *op, int64_t leastRank, bool channelsLast) {
  if (failed(expectRank(op, 0, leastRank)))
    return failure();
  std::optional<DimList> x = getDims(op->getOperand(0));
  return x ? (*x)[getChannelAxis(x->size(), channelsLast)] : Dim::unknown();
}

/// Checks that `operands` are vectors with one element per channel.
LogicalResult expectPerChannel(Operation *op, SizeConstraints &sizes, const Dim &channels,
                               ArrayRef<unsigned> operands) {
  for (unsigned operand : operands)
    if (failed(expectRank(op, operand, 1, 1)) || failed(expectDim(op, sizes, operand, 0, channels, "channels")))
      return failure();
  return success();
}

/// Checks that `axis` is an axis of the first operand, if its rank is known.
LogicalResult expectAxis(Operation *op, int64_t axis) {
  std::optional<int64_t> rank = rankOf(op->getOperand(0));
  return failure(rank && failed(normalizeAxis(op, axis, *rank)));
}

LogicalResult inferAlong(Operation *op, int64_t axis, SmallVectorImpl<Type> &types) {
  if (failed(expectAxis(op, axis)))
    return failure();
  likeOperand(op, 0, types);
  return success();
}

/// Checks that an operand broadcasts to the first operand.
LogicalResult expectBroadcast(Operation *op, SizeConstraints &sizes, unsigned operand) {
  std::optional<DimList> x = getDims(op->getOperand(0)), parameter = getDims(op->getOperand(operand));
  if (!x || !parameter || succeeded(sizes.requireBroadcast(*parameter, *x)))
    return success();
  return op->emitOpError() << "expected operand #" << operand << " to broadcast to operand #0, got "
                           << op->getOperand(operand).getType() << " and " << op->getOperand(0).getType();
}

/// Returns the type of the statistics, by the number of `stash_type`.
FailureOr<Type> stashType(Operation *op, int64_t dataType) {
  MLIRContext *context = op->getContext();
  if (dataType == 1)
    return Type(Float32Type::get(context));
  if (dataType == 16)
    return Type(BFloat16Type::get(context));
  return op->emitOpError() << "expected 'stash_type' 1 (f32) or 16 (bf16), got " << dataType; // stash_c1
}

} // namespace

LogicalResult BatchNormalizationOp::inferResultTypes(SmallVectorImpl<Type> &types, SizeConstraints &sizes) {
  if (failed(expectSameElementType(*this, {1, 2})) || failed(expectSameElementType(*this, {3, 4})))
    return failure();
  FailureOr<Dim> channels = channelsOf(*this, 2, getChannelsLast());                       // batchnormalization_c1
  if (failed(channels) || failed(expectPerChannel(*this, sizes, *channels, {1, 2, 3, 4}))) // batchnormalization_c2
    return failure();
  if (getTrainingMode() == 0 && !(isAbsent(getRunningMean()) && isAbsent(getRunningVar()))) // batchnormalization_c3
    return emitOpError() << "expected a single result without 'training_mode'";
  likeOperand(*this, 0, types);
  likeOperand(*this, 3, types);
  likeOperand(*this, 4, types);
  return success();
}

LogicalResult InstanceNormalizationOp::inferResultTypes(SmallVectorImpl<Type> &types, SizeConstraints &sizes) {
  if (failed(expectSameElementType(*this)))
    return failure();
  FailureOr<Dim> channels = channelsOf(*this, 3, getChannelsLast());                 // instancenormalization_c1
  if (failed(channels) || failed(expectPerChannel(*this, sizes, *channels, {1, 2}))) // instancenormalization_c2
    return failure();
  likeOperand(*this, 0, types);
  return success();
}

LogicalResult GroupNormalizationOp::inferResultTypes(SmallVectorImpl<Type> &types, SizeConstraints &sizes) {
  if (failed(expectSameElementType(*this)))
    return failure();
  FailureOr<Dim> channels = channelsOf(*this, 2, getChannelsLast());                 // groupnormalization_c1
  if (failed(channels) || failed(expectPerChannel(*this, sizes, *channels, {1, 2}))) // groupnormalization_c2
    return failure();
  if (getNumGroups() < 1) // groupnormalization_c3
    return emitOpError() << "expected 'num_groups' of 1 or more, got " << getNumGroups();
  if (failed(sizes.requireMultiple(*channels, getNumGroups()))) // groupnormalization_c4
    return emitOpError() << "expected channels divisible by " << getNumGroups() << " groups, got "
                         << channels->getSize();
  FailureOr<Type> stash = stashType(*this, getStashType());
  if (failed(stash))
    return failure();
  likeOperand(*this, 0, types);
  return success();
}

LogicalResult LayerNormalizationOp::inferResultTypes(SmallVectorImpl<Type> &types, SizeConstraints &sizes) {
  FailureOr<Type> stash = stashType(*this, getStashType());
  if (failed(stash) || failed(expectSameElementType(*this)) || failed(expectAxis(*this, getAxis())) ||
      failed(expectBroadcast(*this, sizes, 1)) /*layernormalization_c1*/)
    return failure();
  if (!isAbsent(getB()) && failed(expectBroadcast(*this, sizes, 2))) // layernormalization_c2
    return failure();
  likeOperand(*this, 0, types);
  std::optional<DimList> statistics = getDims(getX());
  if (statistics) {
    int64_t rank = statistics->size(), axis = getAxis() < 0 ? getAxis() + rank : getAxis();
    std::fill(statistics->begin() + axis, statistics->end(), Dim(1));
  }
  types.append(2, makeResultType(statistics, *stash));
  return success();
}

LogicalResult RMSNormalizationOp::inferResultTypes(SmallVectorImpl<Type> &types, SizeConstraints &sizes) {
  if (failed(stashType(*this, getStashType())) || failed(expectAxis(*this, getAxis())) ||
      failed(expectBroadcast(*this, sizes, 1))) // rmsnormalization_c1
    return failure();
  types.push_back(makeResultType(getDims(getX()), elementTypeOf(getScale())));
  return success();
}

LogicalResult LRNOp::inferResultTypes(SmallVectorImpl<Type> &types, SizeConstraints &sizes) {
  if (failed(expectRank(*this, 0, 2))) // lrn_c1
    return failure();
  if (getSize() < 1) // lrn_c2
    return emitOpError() << "expected 'size' of 1 or more, got " << getSize();
  likeOperand(*this, 0, types);
  return success();
}

LogicalResult LpNormalizationOp::inferResultTypes(SmallVectorImpl<Type> &types, SizeConstraints &sizes) {
  if (getP() != 1 && getP() != 2) // lpnormalization_c1
    return emitOpError() << "expected 'p' 1 or 2, got " << getP();
  return inferAlong(*this, getAxis(), types);
}

LogicalResult MeanVarianceNormalizationOp::inferResultTypes(SmallVectorImpl<Type> &types, SizeConstraints &sizes) {
  std::optional<int64_t> rank = rankOf(getX());
  if (rank && failed(normalizeAxes(*this, getAxes(), *rank))) // meanvariancenormalization_c1
    return failure();
  likeOperand(*this, 0, types);
  return success();
}

LogicalResult SoftmaxOp::inferResultTypes(SmallVectorImpl<Type> &types, SizeConstraints &sizes) {
  return inferAlong(*this, getAxis(), types);
}

LogicalResult LogSoftmaxOp::inferResultTypes(SmallVectorImpl<Type> &types, SizeConstraints &sizes) {
  return inferAlong(*this, getAxis(), types);
}

LogicalResult HardmaxOp::inferResultTypes(SmallVectorImpl<Type> &types, SizeConstraints &sizes) {
  return inferAlong(*this, getAxis(), types);
}

LogicalResult DropoutOp::inferResultTypes(SmallVectorImpl<Type> &types, SizeConstraints &sizes) {
  if (failed(expectScalar(*this, sizes, 1)) || failed(expectScalar(*this, sizes, 2))) // dropout_c1
    return failure();
  likeOperand(*this, 0, types);
  types.push_back(makeResultType(getDims(getData()), IntegerType::get(getContext(), 1)));
  return success();
}
