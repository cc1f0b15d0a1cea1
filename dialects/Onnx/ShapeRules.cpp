#include "dialects/Onnx/ShapeRules.h"

#include "dialects/Onnx/TensorLimits.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace cameo;
using namespace cameo::onnx;

Type cameo::onnx::makeResultType(const std::optional<DimList> &dims, Type elementType) {
  if (!dims)
    return UnrankedTensorType::get(elementType);
  return makeTensorType(*dims, elementType);
}

LogicalResult cameo::onnx::expectReasonableSize(Operation *op, Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return success();
  if (tensor.getRank() > kMaxRank) // op_c2
    return op->emitOpError() << "expected a result of at most " << kMaxRank << " dimensions, got " << tensor.getRank();
  int64_t count = 1;
  for (int64_t size : tensor.getShape()) {
    if (ShapedType::isDynamic(size) || size == 0)
      continue;
    if (llvm::MulOverflow(count, size, count) || count > kMaxElements) // op_c2
      return op->emitOpError() << "expected a result of at most 2^48 elements, got " << type;
  }
  return success();
}

Type cameo::onnx::mostPlaces(Value x) {
  std::optional<DimList> dims = getDims(x);
  Dim most = dims ? productOf(*dims) : Dim::unknown(), rank = dims ? Dim(dims->size()) : Dim::unknown();
  return makeTensorType({most, rank}, IntegerType::get(x.getContext(), 64));
}

Type cameo::onnx::mostBoxes(Value scores, Value limit) {
  Dim most = Dim::unknown();
  if (std::optional<DimList> dims = getDims(scores)) {
    Dim perClass = dims->back();
    std::optional<SmallVector<int64_t>> known;
    if (isAbsent(limit))
      known = SmallVector<int64_t>{0};
    else
      known = getKnownInts(limit);
    // Exporters write the maximum integer if there is no limit. Then, and if the limit is known only at run time, the
    // number of boxes is the limit.
    constexpr int64_t kFewBoxes = int64_t(1) << 16;
    if (known && known->size() == 1 && known->front() <= (perClass.isStatic() ? perClass.getSize() : kFewBoxes))
      perClass = Dim(std::max<int64_t>(known->front(), 0));
    most = productOf({(*dims)[0], (*dims)[1], perClass});
  }
  return makeTensorType({most, Dim(3)}, IntegerType::get(scores.getContext(), 64));
}

LogicalResult cameo::onnx::expectSameElementType(Operation *op, ArrayRef<unsigned> operands) {
  std::optional<unsigned> first;
  for (unsigned operand : operands) {
    if (isAbsent(op->getOperand(operand)))
      continue;
    if (!first)
      first = operand;
    Type expected = elementTypeOf(op->getOperand(*first)), got = elementTypeOf(op->getOperand(operand));
    if (expected != got) // type_c1
      return op->emitOpError() << "expected operand #" << operand << " to have element type " << expected
                               << " like operand #" << *first << ", got " << got;
  }
  return success();
}

LogicalResult cameo::onnx::expectSameElementType(Operation *op) {
  return expectSameElementType(op, llvm::to_vector(llvm::seq<unsigned>(0, op->getNumOperands())));
}

LogicalResult cameo::onnx::expectRank(Operation *op, unsigned operand, int64_t least, int64_t most) {
  std::optional<int64_t> rank = rankOf(op->getOperand(operand));
  if (!rank || (*rank >= least && *rank <= most))
    return success();
  InFlightDiagnostic error = op->emitOpError() << "expected operand #" << operand << " of rank ";
  if (least == most)
    error << least;
  else if (most == std::numeric_limits<int64_t>::max())
    error << least << " or more";
  else
    error << least << " to " << most;
  return error << ", got " << *rank;
}

LogicalResult cameo::onnx::expectSizeVector(Operation *op, unsigned operand) {
  if (failed(expectRank(op, operand, 1, 1)))
    return failure();
  std::optional<DimList> dims = getDims(op->getOperand(operand));
  if (dims && dims->front().isStatic() && dims->front().getSize() > kMaxRank) // op_c2
    return op->emitOpError() << "expected a result of at most " << kMaxRank << " dimensions, got "
                             << dims->front().getSize();
  return success();
}

LogicalResult cameo::onnx::expectIndices(Operation *op, Value indices, const Dim &size) {
  std::optional<KnownTensor> known = getKnownValue(indices);
  if (!known || known->isReal() || !size.isStatic())
    return success();
  for (const Number &number : known->elements) {
    const Dim &index = number.integer;
    if (index.isStatic() && (index.getSize() < -size.getSize() || index.getSize() >= size.getSize()))
      return op->emitOpError() << "expected indices in [" << -size.getSize() << ", " << size.getSize() - 1 << "], got "
                               << index.getSize();
  }
  return success();
}

LogicalResult cameo::onnx::expectDim(Operation *op, SizeConstraints &sizes, unsigned operand, int64_t axis,
                                     const Dim &expected, StringRef meaning) {
  std::optional<DimList> dims = getDims(op->getOperand(operand));
  if (!dims || axis >= int64_t(dims->size()) || succeeded(sizes.requireEqual((*dims)[axis], expected)))
    return success();
  return op->emitOpError() << "expected dimension " << axis << " of operand #" << operand << " to be "
                           << expected.getSize() << " (" << meaning << "), got " << (*dims)[axis].getSize();
}

LogicalResult cameo::onnx::expectDims(Operation *op, SizeConstraints &sizes, unsigned operand, ArrayRef<Dim> expected,
                                      StringRef meaning) {
  if (failed(expectRank(op, operand, expected.size(), expected.size())))
    return failure();
  for (auto [axis, dim] : llvm::enumerate(expected))
    if (failed(expectDim(op, sizes, operand, axis, dim, meaning)))
      return failure();
  return success();
}

LogicalResult cameo::onnx::expectScalar(Operation *op, SizeConstraints &sizes, unsigned operand) {
  std::optional<DimList> dims = getDims(op->getOperand(operand));
  if (!dims || dims->empty() || (dims->size() == 1 && succeeded(sizes.requireEqual(dims->front(), 1))))
    return success();
  return op->emitOpError() << "expected operand #" << operand << " to be a scalar or a vector of one element, got "
                           << op->getOperand(operand).getType();
}

LogicalResult cameo::onnx::expectInts(Operation *op, StringRef name, const std::optional<ArrayRef<int64_t>> &values,
                                      int64_t count, int64_t least, int64_t most) {
  if (!values)
    return success();
  if (int64_t(values->size()) != count)
    return op->emitOpError() << "expected " << count << " values in '" << name << "', got " << values->size();
  for (int64_t value : *values)
    if (value < least || value > most)
      return op->emitOpError() << "expected values of '" << name << "' in [" << least << ", " << most << "], got "
                               << value;
  return success();
}

FailureOr<int64_t> cameo::onnx::normalizeAxis(Operation *op, int64_t axis, int64_t rank, StringRef name) {
  if (axis >= -rank && axis < rank)
    return axis < 0 ? axis + rank : axis;
  // axis_c1
  return op->emitOpError() << "expected '" << name << "' in [" << -rank << ", " << rank - 1 << "], got " << axis;
}

FailureOr<SmallVector<int64_t>> cameo::onnx::normalizeAxes(Operation *op, ArrayRef<int64_t> axes, int64_t rank) {
  SmallVector<int64_t> normalized;
  SmallVector<bool> seen(rank, false);
  for (int64_t axis : axes) {
    FailureOr<int64_t> front = normalizeAxis(op, axis, rank, "axes");
    if (failed(front))
      return failure();
    if (seen[*front]) // axis_c2
      return op->emitOpError() << "expected distinct 'axes', got " << axis << " twice";
    seen[*front] = true;
    normalized.push_back(*front);
  }
  return normalized;
}

std::optional<Dim> cameo::onnx::broadcastDim(const Dim &a, const Dim &b) {
  if (a.isStatic() && a.getSize() == 1)
    return b;
  if (b.isStatic() && b.getSize() == 1)
    return a;
  if (a.differsFrom(b))
    return std::nullopt;
  // The dynamic one is 1 or equal to the other.
  if (a.isStatic() || a.equals(b))
    return a;
  if (b.isStatic())
    return b;
  // One of two names is 1 or equal to the other; `--require-sizes` checks this at run time.
  return a.isNamed() && b.isNamed() ? a : Dim::unknown();
}

FailureOr<std::optional<DimList>> cameo::onnx::broadcastOperands(Operation *op, SizeConstraints &sizes,
                                                                 ValueRange operands) {
  DimList joint;
  bool isRanked = true;
  for (Value operand : operands) {
    if (isAbsent(operand))
      continue;
    std::optional<DimList> dims = getDims(operand);
    if (!dims) {
      isRanked = false;
      continue;
    }
    if (dims->size() > joint.size())
      joint.insert(joint.begin(), dims->size() - joint.size(), Dim(1));
    for (size_t i = 0, shift = joint.size() - dims->size(); i < dims->size(); ++i) {
      std::optional<Dim> dim = broadcastDim(joint[shift + i], (*dims)[i]);
      if (!dim) // broadcast_c1
        return op->emitOpError() << "expected operands that broadcast, got " << (*dims)[i].getSize() << " against "
                                 << joint[shift + i].getSize() << " in dimension " << shift + i;
      joint[shift + i] = *dim;
    }
  }
  if (!isRanked)
    return std::optional<DimList>();
  for (Value operand : operands)
    if (std::optional<DimList> dims = isAbsent(operand) ? std::nullopt : getDims(operand))
      if (failed(sizes.requireBroadcast(*dims, joint)))
        llvm_unreachable("the joint dimensions are what all broadcast to");
  return std::optional<DimList>(std::move(joint));
}

LogicalResult cameo::onnx::inferPointwise(Operation *op, SmallVectorImpl<Type> &types, SizeConstraints &sizes,
                                          Type elementType) {
  if (failed(expectSameElementType(op)))
    return failure();
  FailureOr<std::optional<DimList>> dims = broadcastOperands(op, sizes, op->getOperands());
  if (failed(dims))
    return failure();
  types.push_back(makeResultType(*dims, elementType ? elementType : elementTypeOf(op->getOperand(0))));
  return success();
}

Dim cameo::onnx::moreSpecific(const Dim &a, const Dim &b) {
  if (a.isStatic() || b.isUnknown())
    return a;
  return b.isStatic() || a.isUnknown() ? b : a;
}

void cameo::onnx::likeOperand(Operation *op, unsigned operand, SmallVectorImpl<Type> &types) {
  Value value = op->getOperand(operand);
  types.push_back(makeResultType(getDims(value), elementTypeOf(value)));
}
