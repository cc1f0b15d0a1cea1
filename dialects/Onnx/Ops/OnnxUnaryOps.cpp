// Elementwise operators of one tensor: shape rules, and their evaluation on shapes.
#include "dialects/Dim/DimLimits.h"
#include "dialects/Onnx/ElementTypes.h"
#include "dialects/Onnx/ShapeRules.h"

#include <cmath>

using namespace mlir;
using namespace cameo;
using namespace cameo::onnx;

#define GET_OP_CLASSES
#include "dialects/Onnx/Ops/OnnxUnaryOps.cpp.inc"

namespace {

using Operands = ArrayRef<const KnownTensor *>;
using Results = SmallVectorImpl<KnownTensor>;

/// Lifts a function of one number to dimensions: the result is unknown unless the dimension is static.
template <typename F> auto ofNumber(F function) {
  return
      [function](ArrayRef<Dim> dims) { return dims[0].isStatic() ? Dim(function(dims[0].getSize())) : Dim::unknown(); };
}

template <typename F> auto ofReal(F function) {
  return [function](ArrayRef<double> reals) { return double(function(reals[0])); };
}

/// Rounds a real number that is computed from dynamic sizes.
template <typename F> auto ofComputed(F round) {
  return [round](ArrayRef<Attribute> reals) {
    auto computed = dyn_cast_or_null<DimRealAttr>(reals[0]);
    return computed ? makeReal(round(computed), computed.getType()) : Attribute();
  };
}

/// Applies the operation `kind` to 0 and a real number that is computed from dynamic sizes.
auto withZero(DimRealKind kind) {
  return [kind](ArrayRef<Attribute> reals) {
    auto computed = dyn_cast_or_null<DimRealAttr>(reals[0]);
    return computed ? computeReal(kind, makeReal(0.0, computed.getType()), computed) : Attribute();
  };
}

/// For operators that return integers unchanged or do not support them.
Dim sameInteger(ArrayRef<Dim> dims) { return dims[0]; }

int64_t signOf(int64_t value) { return (value > 0) - (value < 0); }

} // namespace

LogicalResult AbsOp::evaluate(Operands operands, Results &results) {
  return evaluateElements(operands, results, ofNumber([](int64_t x) { return x < 0 ? -x : x; }),
                          ofReal([](double x) { return std::abs(x); }));
}

LogicalResult BitwiseNotOp::evaluate(Operands operands, Results &results) {
  return evaluateElements(operands, results, ofNumber([](int64_t x) { return ~x; }), nullptr);
}

LogicalResult CeilOp::evaluate(Operands operands, Results &results) {
  return evaluateElements(operands, results, sameInteger, ofReal([](double x) { return std::ceil(x); }),
                          ofComputed(ceilReal));
}

LogicalResult FloorOp::evaluate(Operands operands, Results &results) {
  return evaluateElements(operands, results, sameInteger, ofReal([](double x) { return std::floor(x); }),
                          ofComputed(floorReal));
}

LogicalResult NegOp::evaluate(Operands operands, Results &results) {
  return evaluateElements(
      operands, results, [](ArrayRef<Dim> dims) { return subDims(Dim(0), dims[0]); },
      ofReal([](double x) { return -x; }), withZero(DimRealKind::Sub));
}

LogicalResult NotOp::evaluate(Operands operands, Results &results) {
  return evaluateElements(operands, results, ofNumber([](int64_t x) { return x == 0; }), nullptr);
}

LogicalResult ReluOp::evaluate(Operands operands, Results &results) {
  return evaluateElements(operands, results, ofNumber([](int64_t x) { return std::max<int64_t>(x, 0); }),
                          ofReal([](double x) { return x < 0 ? 0 : x; }), withZero(DimRealKind::Max));
}

LogicalResult RoundOp::evaluate(Operands operands, Results &results) {
  return evaluateElements(operands, results, sameInteger, ofReal([](double x) { return std::nearbyint(x); }),
                          ofComputed(roundReal));
}

LogicalResult SignOp::evaluate(Operands operands, Results &results) {
  return evaluateElements(operands, results, ofNumber(signOf),
                          ofReal([](double x) { return std::isnan(x) ? x : double((x > 0) - (x < 0)); }));
}

LogicalResult SqrtOp::evaluate(Operands operands, Results &results) {
  return evaluateElements(operands, results, nullptr, ofReal([](double x) { return std::sqrt(x); }));
}

LogicalResult IsInfOp::inferResultTypes(SmallVectorImpl<Type> &types, SizeConstraints &sizes) {
  return inferPointwise(*this, types, sizes, IntegerType::get(getContext(), 1));
}

LogicalResult IsNaNOp::inferResultTypes(SmallVectorImpl<Type> &types, SizeConstraints &sizes) {
  return inferPointwise(*this, types, sizes, IntegerType::get(getContext(), 1));
}

//===- Conversions ---------------------------------------------------------===//

namespace {

LogicalResult evaluateConversion(const KnownTensor *operand, Type to, Results &results) {
  auto isNumber = [](Type type) {
    return type.isInteger() || type.isF16() || type.isBF16() || type.isF32() || type.isF64();
  };
  if (!operand || !to || !isNumber(to) || !isNumber(operand->elementType))
    return failure();
  KnownTensor result{operand->shape, to, {}};
  for (const Number &number : operand->elements)
    result.elements.push_back(convertNumber(number, operand->elementType, to));
  results.push_back(std::move(result));
  return success();
}

} // namespace

LogicalResult CastOp::inferResultTypes(SmallVectorImpl<Type> &types, SizeConstraints &sizes) {
  Type to = getElementTypeOf(getContext(), getTo());
  if (!to) // cast_c1
    return emitOpError() << "expected 'to' to be an ONNX element type, got " << getTo();
  types.push_back(makeResultType(getDims(getInput()), to));
  return success();
}

LogicalResult CastOp::evaluate(Operands operands, Results &results) {
  return evaluateConversion(operands[0], getElementTypeOf(getContext(), getTo()), results);
}

Value CastOp::getEqualOperand() { return getInput(); }

LogicalResult CastLikeOp::inferResultTypes(SmallVectorImpl<Type> &types, SizeConstraints &sizes) {
  types.push_back(makeResultType(getDims(getInput()), elementTypeOf(getTargetType())));
  return success();
}

LogicalResult CastLikeOp::evaluate(Operands operands, Results &results) {
  return evaluateConversion(operands[0], elementTypeOf(getTargetType()), results);
}

Value CastLikeOp::getEqualOperand() { return getInput(); }

/// Returns the bits of an element in ONNX's memory layout; 0 for strings.
static unsigned widthOf(Type type) {
  if (auto complex = dyn_cast<ComplexType>(type))
    return 2 * complex.getElementType().getIntOrFloatBitWidth();
  if (type.isInteger(1))
    return 8;
  return type.isIntOrFloat() ? type.getIntOrFloatBitWidth() : 0;
}

LogicalResult BitCastOp::inferResultTypes(SmallVectorImpl<Type> &types, SizeConstraints &sizes) {
  Type from = elementTypeOf(getInput()), to = getElementTypeOf(getContext(), getTo());
  if (!to || widthOf(to) == 0) // bitcast_c1
    return emitOpError() << "expected 'to' to be an ONNX element type other than string, got " << getTo();
  if (widthOf(from) != widthOf(to)) // bitcast_c2
    return emitOpError() << "expected element types of one width, got " << from << " and " << to;
  types.push_back(makeResultType(getDims(getInput()), to));
  return success();
}
