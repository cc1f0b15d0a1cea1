// Shape rules of reductions along axes, ArgMax and ArgMin, cumulative sums, and TopK.
#include "dialects/Dim/DimLimits.h"
#include "dialects/Onnx/ShapeRules.h"
#include "dialects/Onnx/StatedShapes.h"

using namespace mlir;
using namespace cameo;
using namespace cameo::onnx;

namespace {

using Operands = ArrayRef<const KnownTensor *>;
using Results = SmallVectorImpl<KnownTensor>;

/// Returns the dimensions without the reduced ones, or with 1 in their place.
DimList reduceDims(ArrayRef<Dim> dims, ArrayRef<bool> isReduced, bool keepDims) {
  DimList result;
  for (auto [dim, reduced] : llvm::zip(dims, isReduced)) {
    if (!reduced)
      result.push_back(dim);
    else if (keepDims)
      result.push_back(Dim(1));
  }
  return result;
}

/// Returns which dimensions are reduced; nothing if the axes are unknown.
FailureOr<std::optional<SmallVector<bool>>> reducedAxes(Operation *op, int64_t rank, bool noopWithEmptyAxes) {
  std::optional<SmallVector<int64_t>> axes = SmallVector<int64_t>();
  if (!isAbsent(op->getOperand(1)))
    axes = getKnownInts(op->getOperand(1));
  if (!axes)
    return std::optional<SmallVector<bool>>();
  if (axes->empty())
    return std::optional(SmallVector<bool>(rank, !noopWithEmptyAxes));
  FailureOr<SmallVector<int64_t>> normalized = normalizeAxes(op, *axes, rank); // reduce_c2
  if (failed(normalized))
    return failure();
  SmallVector<bool> isReduced(rank, false);
  for (int64_t axis : *normalized)
    isReduced[axis] = true;
  return std::optional(std::move(isReduced));
}

LogicalResult inferReduction(Operation *op, bool keepDims, bool noopWithEmptyAxes, SmallVectorImpl<Type> &types,
                             SizeConstraints &sizes) {
  if (failed(expectRank(op, 1, 0, 1))) // reduce_c1
    return failure();
  std::optional<DimList> dims = getDims(op->getOperand(0));
  if (dims) {
    FailureOr<std::optional<SmallVector<bool>>> isReduced = reducedAxes(op, dims->size(), noopWithEmptyAxes);
    if (failed(isReduced))
      return failure();
    if (std::optional<DimList> stated = getDims(op->getResult(0)); stated && !*isReduced)
      requireReduced(sizes, *dims, *stated, keepDims);
    if (*isReduced)
      dims = reduceDims(*dims, **isReduced, keepDims);
    else if (keepDims)
      dims->assign(dims->size(), Dim::unknown());
    else
      dims.reset();
  }
  types.push_back(makeResultType(dims, elementTypeOf(op->getOperand(0))));
  return success();
}

/// Combines pairs of elements of a small tensor: integers with `combine`, floats with `kind`.
struct Combination {
  Type elementType;
  function_ref<Dim(Dim, Dim)> combine;
  DimRealKind kind;

  /// Whether the combined floats are those that a kernel computes. Kernels accumulate 16-bit floats in wider types.
  bool isExact() const {
    bool isSelection = kind == DimRealKind::Min || kind == DimRealKind::Max;
    return !isa<FloatType>(elementType) || isSelection || elementType.isF32() || elementType.isF64();
  }
  FailureOr<Number> apply(const Number &a, const Number &b) const {
    KnownTensor left{{}, elementType, {a}}, right{{}, elementType, {b}};
    auto ofReals = [this](auto reals) { return computeReal(kind, reals[0], reals[1]); };
    SmallVector<KnownTensor, 1> both;
    if (failed(evaluateElements(
            {&left, &right}, both, [this](ArrayRef<Dim> dims) { return combine(dims[0], dims[1]); }, ofReals, ofReals)))
      return failure();
    return both.front().elements.front();
  }
};

/// Reduces all elements of a small tensor to one, in order, as models do with shapes and their scales.
LogicalResult evaluateReduction(Operation *op, Operands operands, Results &results, function_ref<Dim(Dim, Dim)> combine,
                                DimRealKind kind) {
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (!operands[0] || operands[0]->elements.empty() || !type || !type.hasStaticShape() || type.getNumElements() != 1)
    return failure();
  Combination combination{operands[0]->elementType, combine, kind};
  if (!combination.isExact())
    return failure();
  Number value = operands[0]->elements.front();
  for (const Number &number : ArrayRef(operands[0]->elements).drop_front()) {
    FailureOr<Number> both = combination.apply(value, number);
    if (failed(both))
      return failure();
    value = *both;
  }
  results.push_back({llvm::to_vector(type.getShape()), operands[0]->elementType, {value}});
  return success();
}

/// Accumulates the elements of a small tensor along an axis, as models do with the repeats of rows. `first` is the
/// number before any element, the neutral one.
template <typename OpTy>
LogicalResult evaluateCumulation(OpTy op, Operands operands, Results &results, int64_t first,
                                 function_ref<Dim(Dim, Dim)> combine, DimRealKind kind) {
  std::optional<SmallVector<int64_t>> given = getKnownInts(op.getAxis());
  if (!operands[0] || !given || given->size() != 1)
    return failure();
  const KnownTensor &data = *operands[0];
  Combination combination{data.elementType, combine, kind};
  int64_t axis = given->front() < 0 ? given->front() + data.rank() : given->front();
  if (!combination.isExact() || axis < 0 || axis >= data.rank())
    return failure();
  KnownTensor result = data;
  int64_t count = data.shape[axis], stride = rowMajorStrides(data.shape)[axis], size = data.elements.size();
  Number neutral = data.isReal() ? Number::ofReal(double(first)) : Number::of(Dim(first));
  for (int64_t begin = 0; begin < size; ++begin) {
    if (begin / stride % count != 0) // the accumulation begins at the elements of index 0
      continue;
    Number value = neutral;
    for (int64_t i = 0; i < count; ++i) {
      int64_t place = begin + stride * (op.getReverse() != 0 ? count - 1 - i : i);
      FailureOr<Number> next = combination.apply(value, data.elements[place]);
      if (failed(next))
        return failure();
      result.elements[place] = op.getExclusive() != 0 ? value : *next;
      value = *next;
    }
  }
  results.push_back(std::move(result));
  return success();
}

} // namespace

#define GET_OP_CLASSES
#include "dialects/Onnx/Ops/OnnxReduceOps.cpp.inc"

LogicalResult ReduceSumOp::evaluate(Operands operands, Results &results) {
  return evaluateReduction(*this, operands, results, addDims, DimRealKind::Add);
}

LogicalResult ReduceProdOp::evaluate(Operands operands, Results &results) {
  return evaluateReduction(*this, operands, results, mulDims, DimRealKind::Mul);
}

LogicalResult ReduceMaxOp::evaluate(Operands operands, Results &results) {
  return evaluateReduction(*this, operands, results, maxDims, DimRealKind::Max);
}

LogicalResult ReduceMinOp::evaluate(Operands operands, Results &results) {
  return evaluateReduction(*this, operands, results, minDims, DimRealKind::Min);
}

//===- ArgMax, ArgMin, CumSum, CumProd, TopK --------------------------------===//

namespace {

LogicalResult inferArgExtremum(Operation *op, int64_t axis, bool keepDims, SmallVectorImpl<Type> &types) {
  std::optional<DimList> dims = getDims(op->getOperand(0));
  if (dims) {
    FailureOr<int64_t> normalized = normalizeAxis(op, axis, dims->size()); // argextremum_c1
    if (failed(normalized))
      return failure();
    const Dim &dim = (*dims)[*normalized];
    if (dim.isStatic() && dim.getSize() == 0) // argextremum_c2
      return op->emitOpError() << "expected at least one element along axis " << *normalized;
    SmallVector<bool> isReduced(dims->size(), false);
    isReduced[*normalized] = true;
    dims = reduceDims(*dims, isReduced, keepDims);
  }
  types.push_back(makeResultType(dims, IntegerType::get(op->getContext(), 64)));
  return success();
}

} // namespace

LogicalResult ArgMaxOp::inferResultTypes(SmallVectorImpl<Type> &types, SizeConstraints &sizes) {
  return inferArgExtremum(*this, getAxis(), getKeepdims() != 0, types);
}

LogicalResult ArgMinOp::inferResultTypes(SmallVectorImpl<Type> &types, SizeConstraints &sizes) {
  return inferArgExtremum(*this, getAxis(), getKeepdims() != 0, types);
}

/// Infers the type of cumulative sums and products.
static LogicalResult inferCumulation(Operation *op, SmallVectorImpl<Type> &types, SizeConstraints &sizes) {
  if (failed(expectScalar(op, sizes, 1)) /*cumsum_c1*/ || failed(expectRank(op, 0, 1)) /*cumsum_c2*/)
    return failure();
  std::optional<int64_t> rank = rankOf(op->getOperand(0));
  if (std::optional<SmallVector<int64_t>> axis = getKnownInts(op->getOperand(1)); axis && rank && axis->size() == 1)
    if (failed(normalizeAxis(op, axis->front(), *rank))) // cumsum_c2
      return failure();
  likeOperand(op, 0, types);
  return success();
}

LogicalResult CumSumOp::inferResultTypes(SmallVectorImpl<Type> &types, SizeConstraints &sizes) {
  return inferCumulation(*this, types, sizes);
}

LogicalResult CumSumOp::evaluate(Operands operands, Results &results) {
  return evaluateCumulation(*this, operands, results, 0, addDims, DimRealKind::Add);
}

LogicalResult CumProdOp::inferResultTypes(SmallVectorImpl<Type> &types, SizeConstraints &sizes) {
  return inferCumulation(*this, types, sizes);
}

LogicalResult CumProdOp::evaluate(Operands operands, Results &results) {
  return evaluateCumulation(*this, operands, results, 1, mulDims, DimRealKind::Mul);
}

LogicalResult TopKOp::inferResultTypes(SmallVectorImpl<Type> &types, SizeConstraints &sizes) {
  if (failed(expectScalar(*this, sizes, 1))) // topk_c1
    return failure();
  std::optional<KnownTensor> known = getKnownValue(getK());
  Dim count = known && known->elements.size() == 1 ? known->elements.front().integer : Dim::unknown();
  if (failed(sizes.requireAtLeast(count, 0))) // topk_c2
    return emitOpError() << "expected a K of 0 or more, got " << count.getSize();
  std::optional<DimList> dims = getDims(getX());
  if (dims) {
    FailureOr<int64_t> axis = normalizeAxis(*this, getAxis(), dims->size()); // topk_c3
    if (failed(axis))
      return failure();
    Dim dim = std::exchange((*dims)[*axis], count);
    fillStated(*dims, getValues());
    if (failed(sizes.requireAtLeast(dim, (*dims)[*axis]))) // topk_c4
      return emitOpError() << "expected a K of at most " << dim.getSize() << ", got " << (*dims)[*axis].getSize();
  }
  types.push_back(makeResultType(dims, elementTypeOf(getX())));
  types.push_back(makeResultType(dims, IntegerType::get(getContext(), 64)));
  return success();
}
