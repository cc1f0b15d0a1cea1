// Converts, broadcasts and selects elements of small tensors.
#include "dialects/Onnx/KnownTensor.h"

#include "llvm/ADT/APFloat.h"

#include <cmath>

using namespace mlir;
using namespace cameo;
using namespace cameo::onnx;

namespace {

double roundTo(double value, FloatType type) {
  APFloat number(value);
  bool losesInfo = false;
  number.convert(type.getFloatSemantics(), APFloat::rmNearestTiesToEven, &losesInfo);
  number.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &losesInfo);
  return number.convertToDouble();
}

int64_t wrapTo(int64_t value, IntegerType type) {
  APInt number = APInt(64, uint64_t(value)).trunc(type.getWidth());
  return type.isUnsigned() || type.getWidth() == 1 ? number.getZExtValue() : number.getSExtValue();
}

/// Whether floats of the type may depend on dynamic sizes.
bool hasComputed(Type type) { return type.isF32() || type.isF64(); }

/// Converts to an integer. Values that are out of range give undefined results, so they become unknown.
Number realToInteger(double value, IntegerType type) {
  if (type.getWidth() == 1)
    return Number::of(Dim(value != 0));
  constexpr double kLimit = 9.0e18;
  if (!(std::abs(value) < kLimit))
    return Number::unknown();
  return Number::of(Dim(wrapTo(int64_t(value), type)));
}

/// Converts a float that depends on dynamic sizes to an integer.
Number convertComputed(Number number, IntegerType to) {
  // A dimension fits into any type of 32 bits or more.
  return to.getWidth() >= 32 && !to.isUnsigned() ? Number::of(truncReal(number.computed)) : Number::unknown();
}

} // namespace

Number Number::ofReal(Attribute real) {
  if (auto number = dyn_cast_or_null<FloatAttr>(real))
    return ofReal(number.getValueAsDouble());
  return {Dim::unknown(), std::nullopt, cast_or_null<DimRealAttr>(real)};
}

Attribute cameo::onnx::toReal(const Number &number, Type type) {
  if (number.computed)
    return number.computed;
  return number.real && hasComputed(type) ? makeReal(*number.real, cast<FloatType>(type)) : Attribute();
}

Number cameo::onnx::convertNumber(Number number, Type from, Type to) {
  auto integer = dyn_cast<IntegerType>(to);
  if (isa<FloatType>(from)) {
    if (number.computed)
      return integer           ? convertComputed(number, integer)
             : hasComputed(to) ? Number::ofReal(convertReal(number.computed, cast<FloatType>(to)))
                               : Number::unknown();
    if (!number.real)
      return Number::unknown();
    if (integer)
      return realToInteger(*number.real, integer);
    return Number::ofReal(roundTo(*number.real, cast<FloatType>(to)));
  }
  if (!integer) {
    if (!number.integer.isStatic())
      return hasComputed(to) ? Number::ofReal(makeReal(number.integer, cast<FloatType>(to))) : Number::unknown();
    int64_t value = number.integer.getSize();
    bool isUnsigned = cast<IntegerType>(from).isUnsigned();
    return Number::ofReal(roundTo(isUnsigned ? double(uint64_t(value)) : double(value), cast<FloatType>(to)));
  }
  if (!number.integer.isStatic()) // a dimension fits into any type of 32 bits or more
    return integer.getWidth() >= 32 ? number : Number::unknown();
  int64_t value = number.integer.getSize();
  return Number::of(Dim(integer.getWidth() == 1 ? value != 0 : wrapTo(value, integer)));
}

namespace {

/// Returns the broadcast of static shapes; nothing if they cannot be broadcast.
std::optional<SmallVector<int64_t>> broadcastShapes(ArrayRef<const KnownTensor *> operands) {
  size_t rank = 0;
  for (const KnownTensor *operand : operands)
    rank = std::max(rank, operand->shape.size());
  SmallVector<int64_t> shape(rank, 1);
  for (const KnownTensor *operand : operands)
    for (auto [i, size] : llvm::enumerate(operand->shape)) {
      int64_t &joint = shape[rank - operand->shape.size() + i];
      if (size != 1 && joint != 1 && size != joint)
        return std::nullopt;
      joint = joint == 1 ? size : joint;
    }
  return shape;
}

/// Returns the offset of the operand's element at offset `place` of the broadcast shape.
int64_t offsetOf(const KnownTensor &operand, ArrayRef<int64_t> shape, int64_t place) {
  int64_t offset = 0, stride = 1;
  for (int64_t i = int64_t(shape.size()) - 1, own = operand.rank() - 1; i >= 0 && own >= 0; --i, --own) {
    int64_t index = place % shape[i];
    place /= shape[i];
    if (operand.shape[own] != 1)
      offset += index * stride;
    stride *= operand.shape[own];
  }
  return offset;
}

} // namespace

std::optional<KnownTensor> cameo::onnx::mapBroadcast(ArrayRef<const KnownTensor *> operands, Type elementType,
                                                     function_ref<Number(ArrayRef<Number>)> element) {
  if (llvm::is_contained(operands, nullptr) || !isKnownType(elementType))
    return std::nullopt;
  std::optional<SmallVector<int64_t>> shape = broadcastShapes(operands);
  if (!shape || !isSmall(RankedTensorType::get(*shape, elementType)))
    return std::nullopt;
  KnownTensor result{*shape, elementType, {}};
  SmallVector<Number> numbers(operands.size());
  for (int64_t place = 0, count = countElements(*shape); place < count; ++place) {
    for (auto [number, operand] : llvm::zip(numbers, operands))
      number = operand->elements[offsetOf(*operand, *shape, place)];
    result.elements.push_back(convertNumber(element(numbers), elementType, elementType));
  }
  return result;
}

namespace {

/// Whether an unsigned integer does not fit into 64 signed bits.
bool hasHugeUnsigned(ArrayRef<Number> numbers, Type elementType) {
  return elementType.isUnsignedInteger(64) && llvm::any_of(numbers, [](const Number &number) {
           return number.integer.isStatic() && number.integer.getSize() < 0;
         });
}

Number applyInteger(IntegerFunction function, ArrayRef<Number> numbers, Type elementType) {
  if (!function || hasHugeUnsigned(numbers, elementType))
    return Number::unknown();
  SmallVector<Dim> dims;
  for (const Number &number : numbers)
    dims.push_back(number.integer);
  return Number::of(function(dims));
}

std::optional<double> applyReal(RealFunction function, ArrayRef<Number> numbers) {
  SmallVector<double> reals;
  for (const Number &number : numbers) {
    if (!number.real)
      return std::nullopt;
    reals.push_back(*number.real);
  }
  return function ? std::optional<double>(function(reals)) : std::nullopt;
}

Number applyFloat(ArrayRef<Number> numbers, Type type, RealFunction realFunction, ComputedFunction computedFunction) {
  if (std::optional<double> real = applyReal(realFunction, numbers))
    return Number::ofReal(*real);
  if (!computedFunction || !hasComputed(type))
    return Number::unknown();
  return Number::ofReal(computedFunction(
      llvm::map_to_vector(numbers, [&](const Number &number) { return cameo::onnx::toReal(number, type); })));
}

} // namespace

LogicalResult cameo::onnx::evaluateElements(ArrayRef<const KnownTensor *> operands,
                                            SmallVectorImpl<KnownTensor> &results, IntegerFunction integerFunction,
                                            RealFunction realFunction, ComputedFunction computedFunction) {
  if (operands.empty() || !operands.front())
    return failure();
  Type type = operands.front()->elementType;
  return appendKnown(mapBroadcast(operands, type,
                                  [&](ArrayRef<Number> numbers) {
                                    if (isa<FloatType>(type))
                                      return applyFloat(numbers, type, realFunction, computedFunction);
                                    return applyInteger(integerFunction, numbers, type);
                                  }),
                     results);
}

LogicalResult cameo::onnx::evaluatePredicate(ArrayRef<const KnownTensor *> operands,
                                             SmallVectorImpl<KnownTensor> &results, IntegerFunction integerFunction,
                                             RealFunction realFunction) {
  if (operands.empty() || !operands.front())
    return failure();
  Type type = operands.front()->elementType;
  return appendKnown(mapBroadcast(operands, IntegerType::get(type.getContext(), 1),
                                  [&](ArrayRef<Number> numbers) {
                                    if (!isa<FloatType>(type))
                                      return applyInteger(integerFunction, numbers, type);
                                    std::optional<double> truth = applyReal(realFunction, numbers);
                                    return truth ? Number::of(Dim(*truth != 0)) : Number::unknown();
                                  }),
                     results);
}

LogicalResult cameo::onnx::appendKnown(std::optional<KnownTensor> tensor, SmallVectorImpl<KnownTensor> &results) {
  if (!tensor)
    return failure();
  results.push_back(std::move(*tensor));
  return success();
}

std::optional<KnownTensor> cameo::onnx::selectElements(const KnownTensor &source, ArrayRef<int64_t> shape,
                                                       function_ref<int64_t(ArrayRef<int64_t>)> offset) {
  if (!isSmall(RankedTensorType::get(shape, source.elementType)))
    return std::nullopt;
  KnownTensor result{llvm::to_vector(shape), source.elementType, {}};
  SmallVector<int64_t> index(shape.size(), 0);
  for (int64_t i = 0, count = countElements(shape); i < count; ++i) {
    result.elements.push_back(source.elements[offset(index)]);
    for (int64_t axis = int64_t(shape.size()) - 1; axis >= 0 && ++index[axis] == shape[axis]; --axis)
      index[axis] = 0;
  }
  return result;
}

LogicalResult cameo::onnx::evaluateReshape(Operation *op, const KnownTensor *source,
                                           SmallVectorImpl<KnownTensor> &results) {
  auto type = dyn_cast<ShapedType>(op->getResult(0).getType());
  if (!source || !isSmall(type) || type.getNumElements() != int64_t(source->elements.size()))
    return failure();
  results.push_back({llvm::to_vector(type.getShape()), source->elementType, source->elements});
  return success();
}
