// Shape rules of spectra, windows and mel filters.
#include "dialects/Onnx/ElementTypes.h"
#include "dialects/Onnx/KnownTensor.h"
#include "dialects/Onnx/OnnxOps.h"
#include "dialects/Onnx/ShapeRules.h"

using namespace mlir;
using namespace cameo;
using namespace cameo::onnx;

#define GET_OP_CLASSES
#include "dialects/Onnx/Ops/OnnxSignalOps.cpp.inc"

namespace {

/// Returns the integer value of a scalar operand; unknown if it is computed at run time. Fails if it is below `least`.
FailureOr<Dim> readCount(Operation *op, SizeConstraints &sizes, unsigned operand, int64_t least) {
  if (failed(expectScalar(op, sizes, operand)))
    return failure();
  std::optional<KnownTensor> known = getKnownValue(op->getOperand(operand));
  if (!known || known->elements.size() != 1)
    return Dim::unknown();
  Dim count = known->elements.front().integer;
  if (failed(sizes.requireAtLeast(count, least)))
    return op->emitOpError() << "expected operand #" << operand << " to be " << least << " or more, got "
                             << count.getSize();
  return count;
}

/// Returns the number of frequencies of a spectrum with `count` frequencies; a one-sided spectrum omits the mirror
/// images.
Dim keepOneSide(const Dim &count, bool isOneSided) { return isOneSided ? addDims(floorDivDim(count, 2), 1) : count; }

FailureOr<Type> readNumberType(Operation *op, int64_t dataType) {
  Type type = getElementTypeOf(op->getContext(), dataType);
  if (!type || !(isa<FloatType>(type) || (isa<IntegerType>(type) && !type.isInteger(1))))
    return op->emitOpError() << "expected 'output_datatype' to be a numeric ONNX element type, got " << dataType;
  return type;
}

LogicalResult expectComplexParts(Operation *op, SizeConstraints &sizes, const std::optional<DimList> &dims,
                                 int64_t least) {
  if (!dims ||
      (succeeded(sizes.requireAtLeast(dims->back(), least)) && succeeded(sizes.requireAtLeast(2, dims->back()))))
    return success();
  return op->emitOpError() << "expected " << (least == 2 ? "2 numbers" : "1 or 2 numbers")
                           << " in the last dimension of operand #0, got " << dims->back().getSize();
}

LogicalResult inferWindow(Operation *op, int64_t dataType, SmallVectorImpl<Type> &types, SizeConstraints &sizes) {
  FailureOr<Dim> size = readCount(op, sizes, 0, 0); // window_c1
  if (failed(size))
    return failure();
  FailureOr<Type> type = readNumberType(op, dataType); // window_c2
  if (failed(type))
    return failure();
  types.push_back(makeTensorType({*size}, *type));
  return success();
}

} // namespace

LogicalResult HannWindowOp::inferResultTypes(SmallVectorImpl<Type> &types, SizeConstraints &sizes) {
  return inferWindow(*this, getOutputDatatype(), types, sizes);
}
LogicalResult HammingWindowOp::inferResultTypes(SmallVectorImpl<Type> &types, SizeConstraints &sizes) {
  return inferWindow(*this, getOutputDatatype(), types, sizes);
}
LogicalResult BlackmanWindowOp::inferResultTypes(SmallVectorImpl<Type> &types, SizeConstraints &sizes) {
  return inferWindow(*this, getOutputDatatype(), types, sizes);
}

LogicalResult MelWeightMatrixOp::inferResultTypes(SmallVectorImpl<Type> &types, SizeConstraints &sizes) {
  for (unsigned operand : {2, 3, 4})
    if (failed(expectScalar(*this, sizes, operand))) // mel_c1
      return failure();
  FailureOr<Dim> bands = readCount(*this, sizes, 0, 0); // mel_c1
  FailureOr<Dim> length = failed(bands) ? bands : readCount(*this, sizes, 1, 0);
  if (failed(length))
    return failure();
  FailureOr<Type> type = readNumberType(*this, getOutputDatatype()); // mel_c2
  if (failed(type))
    return failure();
  types.push_back(makeTensorType({keepOneSide(*length, true), *bands}, *type));
  return success();
}

std::optional<int64_t> DFTOp::getKnownAxis(int64_t rank) {
  int64_t axis = -2;
  if (!isAbsent(getAxis())) {
    std::optional<SmallVector<int64_t>> known = getKnownInts(getAxis());
    if (!known || known->size() != 1)
      return std::nullopt;
    axis = known->front();
  }
  axis = axis < 0 ? axis + rank : axis;
  return axis >= 0 && axis < rank - 1 ? std::optional(axis) : std::nullopt;
}

LogicalResult DFTOp::inferResultTypes(SmallVectorImpl<Type> &types, SizeConstraints &sizes) {
  if (failed(expectRank(*this, 0, 2)) /*dft_c1*/ || failed(expectScalar(*this, sizes, 1)) ||
      failed(expectScalar(*this, sizes, 2))) // dft_c3
    return failure();
  bool isReal = getInverse() != 0 && getOnesided() != 0;
  std::optional<DimList> dims = getDims(getInput());
  if (failed(expectComplexParts(*this, sizes, dims, isReal ? 2 : 1))) // dft_c2
    return failure();
  FailureOr<Dim> length = isAbsent(getDftLength()) ? Dim::unknown() : readCount(*this, sizes, 1, 1); // dft_c5
  if (failed(length))
    return failure();
  if (dims) {
    std::optional<int64_t> axis = getKnownAxis(dims->size());
    bool isAxisKnown = isAbsent(getAxis()) || getKnownInts(getAxis());
    if (!axis && isAxisKnown) // dft_c4
      return emitOpError() << "expected 'axis' to be a dimension of rank " << dims->size()
                           << " other than the last one";
    if (axis) {
      Dim &size = (*dims)[*axis];
      if (isAbsent(getDftLength()))
        length = isReal ? mulDims(subDims(size, 1), 2) : size;
      if (failed(sizes.requireAtLeast(*length, 1))) // dft_c5
        return emitOpError() << "expected a transform of length 1 or more, got " << length->getSize();
      size = keepOneSide(*length, getOnesided() && !getInverse());
    } else {
      std::fill(dims->begin(), dims->end() - 1, Dim::unknown());
    }
    dims->back() = Dim(isReal ? 1 : 2);
  }
  types.push_back(makeResultType(dims, elementTypeOf(getInput())));
  return success();
}

LogicalResult STFTOp::inferResultTypes(SmallVectorImpl<Type> &types, SizeConstraints &sizes) {
  std::optional<DimList> signal = getDims(getSignal()), window = getDims(getWindow());
  if (failed(expectRank(*this, 0, 3, 3)) || failed(expectComplexParts(*this, sizes, signal, 1))) // stft_c1
    return failure();
  FailureOr<Dim> step = readCount(*this, sizes, 1, 1);
  if (failed(step)) // stft_c2
    return failure();
  FailureOr<Dim> length = isAbsent(getFrameLength()) ? Dim::unknown() : readCount(*this, sizes, 3, 1);
  if (failed(length)) // stft_c2
    return failure();
  if (isAbsent(getWindow()) && isAbsent(getFrameLength())) // stft_c4
    return emitOpError() << "expected a window or a frame length";
  if (window) {
    if (failed(expectRank(*this, 2, 1, 1)) ||
        failed(expectDim(*this, sizes, 2, 0, *length, "elements of a frame"))) // stft_c3
      return failure();
    length = moreSpecific(*length, window->front());
  }
  if (failed(sizes.requireAtLeast(*length, 1))) // stft_c2
    return emitOpError() << "expected frames of 1 element or more, got " << length->getSize();
  DimList result(4, Dim::unknown());
  result[3] = Dim(2);
  result[2] = keepOneSide(*length, getOnesided() != 0);
  if (signal) {
    result[0] = signal->front();
    if (step->isStatic())
      result[1] = addDims(floorDivDim(subDims((*signal)[1], *length), step->getSize()), 1);
    if (failed(sizes.requireAtLeast((*signal)[1], *length))) // stft_c5
      return emitOpError() << "expected a signal at least as long as a frame";
  }
  types.push_back(makeTensorType(result, elementTypeOf(getSignal())));
  return success();
}

LogicalResult FramesOp::inferResultTypes(SmallVectorImpl<Type> &types, SizeConstraints &sizes) {
  if (failed(expectRank(*this, 0, 3, 3))) // frames_c1
    return failure();
  if (getLength() < 1 || getStep() < 1) // frames_c2
    return emitOpError() << "expected 'length' and 'step' of 1 or more, got " << getLength() << " and " << getStep();
  DimList result(4, Dim::unknown());
  result[2] = Dim(getLength());
  if (std::optional<DimList> signal = getDims(getSignal())) {
    if (failed(sizes.requireAtLeast((*signal)[1], getLength()))) // frames_c3
      return emitOpError() << "expected a signal at least as long as a frame";
    result[0] = (*signal)[0];
    result[1] = addDims(floorDivDim(subDims((*signal)[1], getLength()), getStep()), 1);
    result[3] = (*signal)[2];
  }
  types.push_back(makeTensorType(result, elementTypeOf(getSignal())));
  return success();
}
