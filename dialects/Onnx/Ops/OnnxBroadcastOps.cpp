// Elementwise operators of several tensors with broadcasting, and their evaluation on shapes.
#include "dialects/Dim/DimLimits.h"
#include "dialects/Onnx/ShapeRules.h"

#include <cmath>

using namespace mlir;
using namespace cameo;
using namespace cameo::onnx;

#define GET_OP_CLASSES
#include "dialects/Onnx/Ops/OnnxBroadcastOps.cpp.inc"

namespace {

using Operands = ArrayRef<const KnownTensor *>;
using Results = SmallVectorImpl<KnownTensor>;

/// Lifts a function of two numbers to dimensions: the result is unknown unless both are static. The function may return
/// Dim::unknown() where it is undefined.
template <typename F> auto ofNumbers(F function) {
  return [function](ArrayRef<Dim> dims) {
    if (!dims[0].isStatic() || !dims[1].isStatic())
      return Dim::unknown();
    return Dim(function(dims[0].getSize(), dims[1].getSize()));
  };
}

template <typename F> auto ofReals(F function) {
  return [function](ArrayRef<double> reals) { return double(function(reals[0], reals[1])); };
}

/// For real numbers that are computed from dynamic sizes.
auto ofComputed(DimRealKind kind) {
  return [kind](ArrayRef<Attribute> reals) { return computeReal(kind, reals[0], reals[1]); };
}

Dim divideTruncated(ArrayRef<Dim> dims) {
  if (dims[0].isStatic() && dims[1].isStatic()) {
    int64_t a = dims[0].getSize(), b = dims[1].getSize();
    return b == 0 || (b == -1 && a == std::numeric_limits<int64_t>::min()) ? Dim::unknown() : Dim(a / b);
  }
  if (dims[1].isStatic() && dims[1].getSize() > 0 && dims[0].isNamed())
    return floorDivDim(dims[0], dims[1].getSize()); // dimensions are not negative, so rounding down is truncation
  return floorDivDims(dims[0], dims[1]);
}

} // namespace

LogicalResult AddOp::evaluate(Operands operands, Results &results) {
  return evaluateElements(
      operands, results, [](ArrayRef<Dim> dims) { return addDims(dims[0], dims[1]); }, ofReals(std::plus<>()),
      ofComputed(DimRealKind::Add));
}

LogicalResult SubOp::evaluate(Operands operands, Results &results) {
  return evaluateElements(
      operands, results, [](ArrayRef<Dim> dims) { return subDims(dims[0], dims[1]); }, ofReals(std::minus<>()),
      ofComputed(DimRealKind::Sub));
}

LogicalResult MulOp::evaluate(Operands operands, Results &results) {
  return evaluateElements(
      operands, results, [](ArrayRef<Dim> dims) { return mulDims(dims[0], dims[1]); }, ofReals(std::multiplies<>()),
      ofComputed(DimRealKind::Mul));
}

LogicalResult DivOp::evaluate(Operands operands, Results &results) {
  return evaluateElements(operands, results, divideTruncated, ofReals(std::divides<>()), ofComputed(DimRealKind::Div));
}

LogicalResult ModOp::inferResultTypes(SmallVectorImpl<Type> &types, SizeConstraints &sizes) {
  if (getFmod() == 0 && isa<FloatType>(elementTypeOf(getA()))) // mod_c1
    return emitOpError() << "expected a 'fmod' of 1 for floats, got 0";
  return inferPointwise(*this, types, sizes);
}

LogicalResult ModOp::evaluate(Operands operands, Results &results) {
  bool truncated = getFmod() != 0;
  auto remainder = [&](int64_t a, int64_t b) {
    if (b == 0)
      return Dim::unknown();
    if (b == -1) // the remainder is 0, and the division of the minimum would overflow
      return Dim(0);
    int64_t rest = a % b;
    return Dim(!truncated && rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest);
  };
  auto ofSizes = [&](ArrayRef<Dim> dims) {
    if ((dims[0].isStatic() && dims[1].isStatic()) || (truncated && !isNeverNegative(dims[0])))
      return ofNumbers(remainder)(dims);
    return dims[0] - floorDivDims(dims[0], dims[1]) * dims[1];
  };
  return evaluateElements(operands, results, ofSizes, ofReals([](double a, double b) { return std::fmod(a, b); }));
}

LogicalResult PowOp::inferResultTypes(SmallVectorImpl<Type> &types, SizeConstraints &sizes) {
  FailureOr<std::optional<DimList>> dims = broadcastOperands(*this, sizes, getOperands());
  if (failed(dims))
    return failure();
  types.push_back(makeResultType(*dims, elementTypeOf(getA())));
  return success();
}

LogicalResult PowOp::evaluate(Operands operands, Results &results) {
  if (!operands[0] || !operands[1] || operands[0]->elementType != operands[1]->elementType)
    return failure();
  auto power = [](int64_t base, int64_t exponent) {
    int64_t result = 1;
    if (exponent < 0 || exponent > 64)
      return Dim::unknown();
    for (int64_t i = 0; i < exponent; ++i)
      if (llvm::MulOverflow(result, base, result))
        return Dim::unknown();
    return Dim(result);
  };
  return evaluateElements(operands, results, ofNumbers(power), nullptr);
}

LogicalResult BitShiftOp::evaluate(Operands operands, Results &results) {
  bool left = getDirection() == "LEFT";
  auto shift = [&](int64_t value, int64_t bits) {
    if (bits < 0 || bits > 63)
      return Dim::unknown();
    return Dim(left ? int64_t(uint64_t(value) << bits) : int64_t(uint64_t(value) >> bits));
  };
  return evaluateElements(operands, results, ofNumbers(shift), nullptr);
}

LogicalResult PReluOp::inferResultTypes(SmallVectorImpl<Type> &types, SizeConstraints &sizes) {
  if (failed(expectSameElementType(*this)))
    return failure();
  std::optional<DimList> x = getDims(getA()), slope = getDims(getB());
  if (x && slope && failed(sizes.requireBroadcast(*slope, *x))) // prelu_c1
    return emitOpError() << "expected operand #1 to broadcast to operand #0, got " << getB().getType() << " and "
                         << getA().getType();
  likeOperand(*this, 0, types);
  return success();
}

//===- Logic and comparison ------------------------------------------------===//

LogicalResult AndOp::evaluate(Operands operands, Results &results) {
  return evaluateElements(operands, results, ofNumbers([](int64_t a, int64_t b) { return a & b; }), nullptr);
}

LogicalResult OrOp::evaluate(Operands operands, Results &results) {
  return evaluateElements(operands, results, ofNumbers([](int64_t a, int64_t b) { return a | b; }), nullptr);
}

LogicalResult XorOp::evaluate(Operands operands, Results &results) {
  return evaluateElements(operands, results, ofNumbers([](int64_t a, int64_t b) { return a ^ b; }), nullptr);
}

LogicalResult BitwiseAndOp::evaluate(Operands operands, Results &results) {
  return evaluateElements(operands, results, ofNumbers([](int64_t a, int64_t b) { return a & b; }), nullptr);
}

LogicalResult BitwiseOrOp::evaluate(Operands operands, Results &results) {
  return evaluateElements(operands, results, ofNumbers([](int64_t a, int64_t b) { return a | b; }), nullptr);
}

LogicalResult BitwiseXorOp::evaluate(Operands operands, Results &results) {
  return evaluateElements(operands, results, ofNumbers([](int64_t a, int64_t b) { return a ^ b; }), nullptr);
}

LogicalResult EqualOp::evaluate(Operands operands, Results &results) {
  auto equal = [](ArrayRef<Dim> dims) {
    if (dims[0].isStatic() && dims[1].isStatic())
      return Dim(dims[0].getSize() == dims[1].getSize());
    if (dims[0].equals(dims[1]))
      return Dim(1);
    // Models compare sizes with -1, meaning "to be inferred": no dimension is negative, so they differ.
    auto isNegative = [](const Dim &dim) { return dim.isStatic() && dim.getSize() < 0; };
    bool differs = (dims[0].isNamed() && isNegative(dims[1])) || (dims[1].isNamed() && isNegative(dims[0]));
    return differs ? Dim(0) : Dim::unknown();
  };
  return evaluatePredicate(operands, results, equal, ofReals(std::equal_to<>()));
}

LogicalResult GreaterOp::evaluate(Operands operands, Results &results) {
  return evaluatePredicate(operands, results, ofNumbers(std::greater<>()), ofReals(std::greater<>()));
}

LogicalResult GreaterOrEqualOp::evaluate(Operands operands, Results &results) {
  return evaluatePredicate(operands, results, ofNumbers(std::greater_equal<>()), ofReals(std::greater_equal<>()));
}

LogicalResult LessOp::evaluate(Operands operands, Results &results) {
  return evaluatePredicate(operands, results, ofNumbers(std::less<>()), ofReals(std::less<>()));
}

LogicalResult LessOrEqualOp::evaluate(Operands operands, Results &results) {
  return evaluatePredicate(operands, results, ofNumbers(std::less_equal<>()), ofReals(std::less_equal<>()));
}

//===- Any number of tensors -----------------------------------------------===//

namespace {

Dim extremum(ArrayRef<Dim> dims, bool greatest) {
  Dim best = dims[0];
  for (const Dim &dim : dims.drop_front())
    best = greatest ? maxDims(best, dim) : minDims(best, dim);
  return best;
}

/// For real numbers, constant or computed from dynamic sizes.
auto ofAll(DimRealKind kind) {
  return [kind](auto reals) {
    auto best = reals[0];
    for (const auto &real : reals.drop_front())
      best = computeReal(kind, best, real);
    return best;
  };
}

} // namespace

LogicalResult MaxOp::evaluate(Operands operands, Results &results) {
  return evaluateElements(
      operands, results, [](ArrayRef<Dim> dims) { return extremum(dims, true); }, ofAll(DimRealKind::Max),
      ofAll(DimRealKind::Max));
}

LogicalResult MinOp::evaluate(Operands operands, Results &results) {
  return evaluateElements(
      operands, results, [](ArrayRef<Dim> dims) { return extremum(dims, false); }, ofAll(DimRealKind::Min),
      ofAll(DimRealKind::Min));
}

//===- Where, Clip ---------------------------------------------------------===//

LogicalResult WhereOp::inferResultTypes(SmallVectorImpl<Type> &types, SizeConstraints &sizes) {
  if (failed(expectSameElementType(*this, {1, 2})))
    return failure();
  FailureOr<std::optional<DimList>> dims = broadcastOperands(*this, sizes, getOperands());
  if (failed(dims))
    return failure();
  types.push_back(makeResultType(*dims, elementTypeOf(getX())));
  return success();
}

LogicalResult WhereOp::evaluate(Operands operands, Results &results) {
  if (!operands[1])
    return failure();
  std::optional<KnownTensor> chosen = mapBroadcast(operands, operands[1]->elementType, [](ArrayRef<Number> numbers) {
    if (numbers[0].integer.isStatic())
      return numbers[0].integer.getSize() != 0 ? numbers[1] : numbers[2];
    return numbers[1].integer.equals(numbers[2].integer) ? numbers[1] : Number::unknown();
  });
  if (!chosen)
    return failure();
  results.push_back(std::move(*chosen));
  return success();
}

LogicalResult ClipOp::inferResultTypes(SmallVectorImpl<Type> &types, SizeConstraints &sizes) {
  if (failed(expectSameElementType(*this, {0, 1, 2})) || failed(expectScalar(*this, sizes, 1)) /*clip_c1*/ ||
      failed(expectScalar(*this, sizes, 2)))
    return failure();
  likeOperand(*this, 0, types);
  return success();
}

LogicalResult ClipOp::evaluate(Operands operands, Results &results) {
  if (!operands[0])
    return failure();
  KnownTensor result = *operands[0];
  for (unsigned bound : {1u, 2u}) {
    if (isAbsent(getOperand(bound)))
      continue;
    if (!operands[bound] || operands[bound]->elements.size() != 1)
      return failure();
    KnownTensor limit{{}, operands[bound]->elementType, operands[bound]->elements};
    SmallVector<KnownTensor, 1> clipped;
    bool isLower = bound == 1;
    DimRealKind kind = isLower ? DimRealKind::Max : DimRealKind::Min;
    if (failed(evaluateElements(
            {&result, &limit}, clipped, [&](ArrayRef<Dim> dims) { return extremum(dims, isLower); }, ofAll(kind),
            ofAll(kind))))
      return failure();
    result = std::move(clipped.front());
  }
  results.push_back(std::move(result));
  return success();
}
