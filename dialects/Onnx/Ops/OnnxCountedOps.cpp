// Shape rules of operators whose results have a data-dependent size: they have the maximum size.
#include "dialects/Onnx/ShapeRules.h"

using namespace mlir;
using namespace cameo;
using namespace cameo::onnx;

#define GET_OP_CLASSES
#include "dialects/Onnx/Ops/OnnxCountedOps.cpp.inc"

static RankedTensorType makeIndexTensor(MLIRContext *context, ArrayRef<Dim> dims) {
  return makeTensorType(dims, IntegerType::get(context, 64));
}

LogicalResult PrefixOp::inferResultTypes(SmallVectorImpl<Type> &types, SizeConstraints &sizes) {
  if (failed(expectRank(*this, 0, 1)) /*prefix_c1*/ || failed(expectRank(*this, 1, 0, 0)) /*prefix_c2*/)
    return failure();
  std::optional<DimList> dims = getDims(getData());
  if (dims)
    dims->front() = Dim::unknown();
  types.push_back(makeResultType(dims, elementTypeOf(getData())));
  return success();
}

LogicalResult ChooseOp::inferResultTypes(SmallVectorImpl<Type> &types, SizeConstraints &sizes) {
  if (failed(expectRank(*this, 0, 0, 0)) /*choose_c1*/ || failed(expectSameElementType(*this, {1, 2})) /*choose_c2*/)
    return failure();
  std::optional<DimList> dims = getDims(getX()), other = getDims(getY());
  if (dims && other && dims->size() != other->size()) // choose_c3
    return emitOpError() << "expected X and Y of one rank, got " << getX().getType() << " and " << getY().getType();
  if (dims && other)
    for (auto [dim, second] : llvm::zip_equal(*dims, *other))
      dim = dim == second ? dim : Dim::unknown();
  types.push_back(makeResultType(other ? dims : other, elementTypeOf(getX())));
  return success();
}

Value ChooseOp::getEqualOperand() {
  if (getX() == getY())
    return getX();
  std::optional<SmallVector<int64_t>> condition = getKnownInts(getCondition());
  return condition && condition->size() == 1 ? (condition->front() != 0 ? getX() : getY()) : Value();
}

/// Not evaluated: models select elements of shapes by Where.
LogicalResult ChooseOp::evaluate(ArrayRef<const KnownTensor *> operands, SmallVectorImpl<KnownTensor> &results) {
  return failure();
}

LogicalResult CountedNonZeroOp::inferResultTypes(SmallVectorImpl<Type> &types, SizeConstraints &sizes) {
  types.push_back(mostPlaces(getX()));
  types.push_back(makeIndexTensor(getContext(), {}));
  return success();
}

LogicalResult CountedUniqueOp::inferResultTypes(SmallVectorImpl<Type> &types, SizeConstraints &sizes) {
  std::optional<DimList> dims = getDims(getX());
  Dim most = dims ? productOf(*dims) : Dim::unknown();
  if (dims && getAxis()) {
    FailureOr<int64_t> axis = normalizeAxis(*this, *getAxis(), dims->size()); // countedunique_c1
    if (failed(axis))
      return failure();
    most = (*dims)[*axis];
  }
  types.append(3, makeIndexTensor(getContext(), {most}));
  types.push_back(makeIndexTensor(getContext(), {}));
  return success();
}

LogicalResult CountedNonMaxSuppressionOp::inferResultTypes(SmallVectorImpl<Type> &types, SizeConstraints &sizes) {
  if (failed(expectRank(*this, 0, 3, 3)) || failed(expectRank(*this, 1, 3, 3))) // countednonmaxsuppression_c1
    return failure();
  types.push_back(mostBoxes(getScores(), getMaxOutputBoxesPerClass()));
  types.push_back(makeIndexTensor(getContext(), {}));
  return success();
}
