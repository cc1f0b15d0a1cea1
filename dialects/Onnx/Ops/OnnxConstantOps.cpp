// Shape rules of constants, and of tensors that are generated from a few numbers.
#include "dialects/Onnx/ElementTypes.h"
#include "dialects/Onnx/ShapeRules.h"

#include <cmath>

using namespace mlir;
using namespace cameo;
using namespace cameo::onnx;

#define GET_OP_CLASSES
#include "dialects/Onnx/Ops/OnnxConstantOps.cpp.inc"

namespace {

using Operands = ArrayRef<const KnownTensor *>;
using Results = SmallVectorImpl<KnownTensor>;

} // namespace

OpFoldResult NoneOp::fold(FoldAdaptor) { return UnitAttr::get(getContext()); }

LogicalResult NoneOp::inferResultTypes(SmallVectorImpl<Type> &types, SizeConstraints &sizes) {
  types.push_back(NoneType::get(getContext()));
  return success();
}

OpFoldResult ConstantOp::fold(FoldAdaptor) { return getValue(); }

LogicalResult ConstantOp::inferResultTypes(SmallVectorImpl<Type> &types, SizeConstraints &sizes) {
  types.push_back(getValue().getShapedType());
  return success();
}

//===- ConstantOfShape, EyeLike --------------------------------------------===//

LogicalResult ConstantOfShapeOp::inferResultTypes(SmallVectorImpl<Type> &types, SizeConstraints &sizes) {
  if (failed(expectSizeVector(*this, 0))) // constantofshape_c1
    return failure();
  ElementsAttr value = getValueAttr();
  if (value && value.getNumElements() != 1) // constantofshape_c2
    return emitOpError() << "expected 'value' of one element, got " << value.getNumElements();
  Type elementType = value ? value.getElementType() : Type(Float32Type::get(getContext()));
  std::optional<DimList> dims = getKnownDims(getInput());
  for (const Dim &dim : dims.value_or(DimList()))
    if (failed(sizes.requireAtLeast(dim, 0))) // constantofshape_c3
      return emitOpError() << "expected sizes of 0 or more, got " << dim.getSize();
  types.push_back(makeResultType(dims, elementType));
  return success();
}

LogicalResult ConstantOfShapeOp::evaluate(Operands, Results &results) {
  std::optional<KnownTensor> result = makeUnknown(getOutput().getType());
  if (!result)
    return failure();
  Number number = Number::ofReal(0);
  if (ElementsAttr value = getValueAttr()) {
    std::optional<SmallVector<int64_t>> ints = getConstantInts(value);
    std::optional<SmallVector<double>> reals = getConstantFloats(value);
    if ((!ints && !reals) || value.getNumElements() != 1)
      return failure();
    number = ints ? Number::of(Dim(ints->front())) : Number::ofReal(reals->front());
  }
  for (Number &element : result->elements)
    element = number;
  results.push_back(std::move(*result));
  return success();
}

LogicalResult EyeLikeOp::inferResultTypes(SmallVectorImpl<Type> &types, SizeConstraints &sizes) {
  if (failed(expectRank(*this, 0, 2, 2))) // eyelike_c1
    return failure();
  Type elementType = elementTypeOf(getInput());
  if (std::optional<int64_t> dataType = getDtype()) {
    elementType = getElementTypeOf(getContext(), *dataType);
    if (!elementType || !(elementType.isIntOrFloat())) // eyelike_c2
      return emitOpError() << "expected 'dtype' to be a numeric ONNX element type, got " << *dataType;
  }
  types.push_back(makeResultType(getDims(getInput()), elementType));
  return success();
}

//===- Range ---------------------------------------------------------------===//

namespace {

/// Returns the number of elements of a Range of integers; unknown if the difference does not fit 64 bits.
Dim countSteps(const Dim &start, const Dim &limit, const Dim &delta) {
  Dim distance = subDims(limit, start);
  if (!delta.isStatic())
    return Dim::unknown();
  if (!distance.isStatic()) // the difference of two dimensions: not negative
    return delta.getSize() == 1 ? distance : Dim::unknown();
  int64_t step = delta.getSize(), length = distance.getSize();
  if (step < 0) {
    if (step == std::numeric_limits<int64_t>::min())
      return Dim::unknown();
    step = -step;
    length = -length;
  }
  return length <= 0 ? Dim(0) : Dim((length - 1) / step + 1);
}

Dim countSteps(double start, double limit, double delta) {
  double count = std::ceil((limit - start) / delta);
  constexpr double kMaxCount = 1e15;
  if (std::isnan(count) || count > kMaxCount)
    return Dim::unknown();
  return Dim(count <= 0 ? 0 : int64_t(count));
}

bool isZero(const std::optional<KnownTensor> &tensor) {
  const Number &number = tensor->elements.front();
  return (number.integer.isStatic() && number.integer.getSize() == 0) || number.real == 0.0;
}

} // namespace

LogicalResult RangeOp::inferResultTypes(SmallVectorImpl<Type> &types, SizeConstraints &sizes) {
  if (failed(expectSameElementType(*this)))
    return failure();
  SmallVector<std::optional<KnownTensor>, 3> bounds;
  for (unsigned i = 0; i < 3; ++i) {
    if (failed(expectScalar(*this, sizes, i))) // range_c1
      return failure();
    bounds.push_back(getKnownValue(getOperand(i)));
    if (bounds.back() && bounds.back()->elements.size() != 1)
      bounds.back().reset();
  }
  Dim count = Dim::unknown();
  if (bounds[2] && isZero(bounds[2])) // range_c2
    return emitOpError() << "expected a delta other than 0";
  if (llvm::all_of(bounds, [](const auto &bound) { return bound.has_value(); })) {
    const Number &start = bounds[0]->elements[0], &limit = bounds[1]->elements[0], &delta = bounds[2]->elements[0];
    if (start.real && limit.real && delta.real)
      count = countSteps(*start.real, *limit.real, *delta.real);
    else if (!bounds[0]->isReal())
      count = countSteps(start.integer, limit.integer, delta.integer);
  }
  types.push_back(makeTensorType({count}, elementTypeOf(getStart())));
  return success();
}

LogicalResult RangeOp::evaluate(Operands operands, Results &results) {
  std::optional<KnownTensor> result = makeUnknown(getOutput().getType());
  if (!result || result->isReal() || !operands[0] || !operands[2] || operands[0]->elements.size() != 1 ||
      operands[2]->elements.size() != 1)
    return failure();
  Dim value = operands[0]->elements[0].integer;
  for (Number &element : result->elements) {
    element = convertNumber(Number::of(value), result->elementType, result->elementType);
    value = addDims(value, operands[2]->elements[0].integer);
  }
  results.push_back(std::move(*result));
  return success();
}
