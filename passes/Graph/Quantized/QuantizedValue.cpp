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

/// Returns the zero point of each index of the axis, or one for all; nothing if they are not constant.
static std::optional<SmallVector<int64_t>> getZeroPoints(const Quantized &weights) {
  auto type = cast<RankedTensorType>(weights.integers.getType());
  if (!weights.zeroPoint)
    return SmallVector<int64_t>{0};
  std::optional<SmallVector<int64_t>> zeros = onnx::getConstantInts(weights.zeroPoint);
  bool fits = zeros && (zeros->size() == 1 || static_cast<int64_t>(zeros->size()) == type.getDimSize(weights.axis));
  return fits ? zeros : std::nullopt;
}

/// Returns constant bytes with `move` subtracted from each element at its index of the axis, as signed or unsigned
/// ones; nothing if they are not constant or do not fit. `move` has one number for all indices, or one for each.
static Value moveBytes(OpBuilder &builder, Location loc, const Quantized &weights, ArrayRef<int64_t> move,
                       bool isSigned) {
  auto type = cast<RankedTensorType>(weights.integers.getType());
  std::optional<std::vector<char>> bytes = onnx::readConstant(weights.integers);
  if (!bytes)
    return {};
  int64_t inner = 1, least = isSigned ? -128 : 0;
  for (int64_t size : type.getShape().drop_front(move.size() == 1 ? type.getRank() : weights.axis + 1))
    inner *= size;
  bool isUnsigned = type.getElementType().isUnsignedInteger();
  for (size_t i = 0; i < bytes->size(); ++i) {
    char byte = (*bytes)[i];
    int64_t number = (isUnsigned ? static_cast<uint8_t>(byte) : static_cast<int8_t>(byte)) -
                     move[move.size() == 1 ? 0 : i / inner % move.size()];
    if (number < least || number > least + 255)
      return {};
    (*bytes)[i] = static_cast<char>(number);
  }
  auto moved = RankedTensorType::get(
      type.getShape(),
      IntegerType::get(builder.getContext(), 8, isSigned ? IntegerType::Signless : IntegerType::Unsigned));
  return onnx::makeConstant(builder, loc, moved, std::move(*bytes));
}

Quantized centre(OpBuilder &builder, Location loc, Quantized weights) {
  bool isSigned = cast<RankedTensorType>(weights.integers.getType()).getElementType().isSignlessInteger();
  std::optional<SmallVector<int64_t>> zeros = getZeroPoints(weights);
  if (!zeros)
    return weights;
  if (isSigned && llvm::all_of(*zeros, [](int64_t zero) { return zero == 0; })) {
    weights.zeroPoint = {};
    return weights;
  }
  if (Value moved = moveBytes(builder, loc, weights, *zeros, /*isSigned=*/true)) {
    weights.integers = moved;
    weights.zeroPoint = {};
  }
  return weights;
}

Quantized withSign(OpBuilder &builder, Location loc, Quantized weights, bool isSigned) {
  auto type = cast<RankedTensorType>(weights.integers.getType());
  std::optional<SmallVector<int64_t>> zeros = getZeroPoints(weights);
  if (!zeros || type.getElementType().isUnsignedInteger() != isSigned)
    return weights;
  int64_t move = isSigned ? 128 : -128;
  Value moved = moveBytes(builder, loc, weights, move, isSigned);
  if (!moved)
    return weights;
  ArrayRef<int64_t> shape =
      weights.zeroPoint ? cast<RankedTensorType>(weights.zeroPoint.getType()).getShape() : ArrayRef<int64_t>();
  std::vector<char> bytes;
  for (int64_t zero : *zeros)
    bytes.push_back(static_cast<char>(zero - move));
  Type element = cast<RankedTensorType>(moved.getType()).getElementType();
  weights.integers = moved;
  weights.zeroPoint = onnx::makeConstant(builder, loc, RankedTensorType::get(shape, element), std::move(bytes));
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
