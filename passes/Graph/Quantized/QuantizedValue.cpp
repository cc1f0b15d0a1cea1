// Reads quantized values, and creates the constants that integer products need.
#include "passes/Graph/Constants/ScalarConstant.h"
#include "passes/Graph/Quantized/IntegerPatterns.h"

#include "dialects/Onnx/ConstantData.h"
#include "dialects/Onnx/OnnxOps.h"

#include <limits>

using namespace mlir;

namespace cameo::graph {

bool isZero(Value zeroPoint) {
  if (onnx::isAbsent(zeroPoint))
    return true;
  std::optional<SmallVector<int64_t>> numbers = onnx::getConstantInts(zeroPoint);
  return numbers && llvm::all_of(*numbers, [](int64_t number) { return number == 0; });
}

bool isOneNumber(Value value) {
  RankedTensorType type = getStaticType(value);
  return type && type.getNumElements() == 1;
}

std::optional<Quantized> getQuantized(Value value) {
  auto op = value.getDefiningOp<onnx::DequantizeLinearOp>();
  if (!op || op.getBlockSize() != 0)
    return std::nullopt;
  auto type = dyn_cast<RankedTensorType>(op.getX().getType()),
       scaleType = dyn_cast<RankedTensorType>(op.getXScale().getType());
  auto resultType = dyn_cast<RankedTensorType>(op.getY().getType());
  if (!type || !type.getElementType().isInteger(8) || !scaleType || !scaleType.getElementType().isF32() ||
      !resultType || !resultType.getElementType().isF32())
    return std::nullopt;
  std::optional<SmallVector<double>> scales = onnx::getConstantFloats(op.getXScale());
  if (!scales || scales->empty())
    return std::nullopt;
  Quantized quantized{
      op.getX(), op.getXZeroPoint(), {}, op.getAxis() < 0 ? op.getAxis() + type.getRank() : op.getAxis()};
  for (double scale : *scales)
    quantized.scales.push_back(static_cast<float>(scale));
  if (isZero(quantized.zeroPoint))
    quantized.zeroPoint = {};
  return quantized;
}

/// Whether the weights are constant unsigned integers with zero points of 128.
static bool isAround128(const Quantized &weights) {
  auto type = cast<RankedTensorType>(weights.integers.getType());
  std::optional<SmallVector<int64_t>> zeros =
      weights.zeroPoint ? onnx::getConstantInts(weights.zeroPoint) : std::nullopt;
  return type.getElementType().isUnsignedInteger() && onnx::getConstantAttr(weights.integers) && zeros &&
         llvm::all_of(*zeros, [](int64_t zero) { return zero == 128; });
}

bool isSymmetricConstant(const Quantized &weights) {
  return onnx::getConstantAttr(weights.integers) && (!weights.zeroPoint || isAround128(weights));
}

Quantized makeSigned(OpBuilder &builder, Location loc, Quantized weights) {
  std::optional<std::vector<char>> bytes = isAround128(weights) ? onnx::readConstant(weights.integers) : std::nullopt;
  if (!bytes)
    return weights;
  for (char &byte : *bytes)
    byte = static_cast<char>(static_cast<unsigned char>(byte) ^ 0x80);
  auto type =
      RankedTensorType::get(cast<RankedTensorType>(weights.integers.getType()).getShape(), builder.getIntegerType(8));
  weights.integers = onnx::makeConstant(builder, loc, type, std::move(*bytes));
  weights.zeroPoint = {};
  return weights;
}

Value zeroPointOperand(OpBuilder &builder, Location loc, Value zeroPoint) {
  return zeroPoint ? zeroPoint : onnx::makeNone(builder, loc);
}

bool fitsSum(int64_t length, int64_t addend) {
  constexpr int64_t largestProduct = 255 * 255, largestSum = std::numeric_limits<int32_t>::max();
  return length <= largestSum / largestProduct && addend <= largestSum - length * largestProduct;
}

template <typename Number>
static Value createNumbersAlong(OpBuilder &builder, Location loc, ArrayRef<Number> numbers, Type element, int64_t rank,
                                int64_t axis) {
  SmallVector<int64_t> shape(numbers.size() == 1 ? 0 : rank - axis, 1);
  if (!shape.empty())
    shape.front() = numbers.size();
  return onnx::makeConstant(builder, loc, RankedTensorType::get(shape, element), numbers);
}

Value createAlong(OpBuilder &builder, Location loc, ArrayRef<float> numbers, int64_t rank, int64_t axis) {
  return createNumbersAlong(builder, loc, numbers, builder.getF32Type(), rank, axis);
}

Value createAlong(OpBuilder &builder, Location loc, ArrayRef<int32_t> numbers, int64_t rank, int64_t axis) {
  return createNumbersAlong(builder, loc, numbers, builder.getI32Type(), rank, axis);
}

Value scaleSums(OpBuilder &builder, Location loc, Value sums, ArrayRef<float> factors, int64_t axis) {
  constexpr int64_t numberOfFloat = 1; // TensorProto.FLOAT
  auto type = cast<RankedTensorType>(sums.getType());
  auto real = cast<RankedTensorType>(type.clone(builder.getF32Type()));
  auto to = builder.getNamedAttr("to", builder.getI64IntegerAttr(numberOfFloat));
  Value converted = onnx::CastOp::create(builder, loc, TypeRange(real), ValueRange(sums), ArrayRef<NamedAttribute>(to));
  Value factor = createAlong(builder, loc, factors, type.getRank(), axis);
  return onnx::MulOp::create(builder, loc, TypeRange(real), ValueRange{converted, factor}, ArrayRef<NamedAttribute>{});
}

} // namespace cameo::graph
