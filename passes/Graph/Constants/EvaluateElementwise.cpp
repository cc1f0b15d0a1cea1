#include "passes/Graph/Constants/EvaluateConstant.h"

#include "dialects/Onnx/KnownTensor.h"
#include "dialects/Onnx/OnnxOps.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/bit.h"
#include <cmath>
#include <cstring>

using namespace mlir;

namespace cameo::graph {
namespace {

/// Iterates in row-major order over the elements of the result and returns the offset of the broadcast operand's
/// element.
class BroadcastWalk {
public:
  BroadcastWalk(ArrayRef<int64_t> operand, ArrayRef<int64_t> shape)
      : shape(shape), strides(getBroadcastStrides(operand, shape)), index(shape.size(), 0) {}

  int64_t next() {
    int64_t current = place;
    for (int64_t i = shape.size() - 1; i >= 0; --i) {
      place += strides[i];
      if (++index[i] < shape[i])
        break;
      place -= strides[i] * shape[i];
      index[i] = 0;
    }
    return current;
  }

private:
  ArrayRef<int64_t> shape;
  SmallVector<int64_t> strides, index;
  int64_t place = 0;
};

template <typename T> T readElement(const char *bytes, int64_t index) {
  T value;
  std::memcpy(&value, bytes + index * sizeof(T), sizeof(T));
  return value;
}

template <typename T> void writeElement(Bytes &bytes, int64_t index, T value) {
  std::memcpy(bytes.data() + index * sizeof(T), &value, sizeof(T));
}

template <typename T> using Unary = T (*)(T);
template <typename T> using Binary = T (*)(T, T);

template <typename T> Unary<T> getUnary(StringRef op) {
  if constexpr (std::is_floating_point_v<T>)
    return StringSwitch<Unary<T>>(op)
        .Case("Neg", [](T x) { return -x; })
        .Case("Abs", [](T x) { return std::abs(x); })
        .Case("Sqrt", [](T x) { return std::sqrt(x); })
        .Case("Reciprocal", [](T x) { return 1 / x; })
        .Case("Exp", [](T x) { return std::exp(x); })
        .Case("Log", [](T x) { return std::log(x); })
        .Case("Floor", [](T x) { return std::floor(x); })
        .Case("Ceil", [](T x) { return std::ceil(x); })
        .Case("Round", [](T x) { return std::nearbyint(x); })
        .Case("Tanh", [](T x) { return std::tanh(x); })
        .Default(nullptr);
  return nullptr;
}

/// Returns NaN if an operand is NaN, and of two zeros the one that counts as greater.
template <typename T> T greaterOf(T x, T y) {
  if (x == y)
    return std::signbit(x) ? y : x;
  return x > y || std::isnan(x) ? x : y;
}

/// Integers wrap around as at run time.
template <typename T> Binary<T> getBinary(StringRef op) {
  if constexpr (std::is_floating_point_v<T>)
    return StringSwitch<Binary<T>>(op)
        .Case("Add", [](T x, T y) { return x + y; })
        .Case("Sub", [](T x, T y) { return x - y; })
        .Case("Mul", [](T x, T y) { return x * y; })
        .Case("Div", [](T x, T y) { return x / y; })
        .Case("Pow", [](T x, T y) { return std::pow(x, y); })
        .Case("Max", [](T x, T y) { return greaterOf(x, y); })
        .Case("Min", [](T x, T y) { return -greaterOf(-x, -y); })
        .Default(nullptr);
  using U = std::make_unsigned_t<std::conditional_t<std::is_floating_point_v<T>, int, T>>;
  return StringSwitch<Binary<T>>(op)
      .Case("Add", [](T x, T y) { return static_cast<T>(static_cast<U>(x) + static_cast<U>(y)); })
      .Case("Sub", [](T x, T y) { return static_cast<T>(static_cast<U>(x) - static_cast<U>(y)); })
      .Case("Mul", [](T x, T y) { return static_cast<T>(static_cast<U>(x) * static_cast<U>(y)); })
      .Default(nullptr);
}

template <typename T>
std::optional<Bytes> evaluate(Operation *op, ArrayRef<ConstantTensor> operands, RankedTensorType type) {
  StringRef name = op->getName().stripDialect();
  int64_t count = type.getNumElements();
  Bytes result;
  if (Unary<T> function = operands.size() == 1 ? getUnary<T>(name) : nullptr) {
    result.resize(count * sizeof(T));
    for (int64_t i = 0; i < count; ++i)
      writeElement<T>(result, i, function(readElement<T>(operands[0].bytes.data(), i)));
    return result;
  }
  Binary<T> function = operands.size() == 2 ? getBinary<T>(name) : nullptr;
  if (!function || operands[1].type.getElementType() != type.getElementType())
    return std::nullopt;
  result.resize(count * sizeof(T));
  BroadcastWalk left(operands[0].type.getShape(), type.getShape()), right(operands[1].type.getShape(), type.getShape());
  for (int64_t i = 0; i < count; ++i)
    writeElement<T>(result, i,
                    function(readElement<T>(operands[0].bytes.data(), left.next()),
                             readElement<T>(operands[1].bytes.data(), right.next())));
  return result;
}

/// Calls `visit` with a function that reads elements as double. It supports only types whose values double represents
/// exactly. Returns false for others.
template <typename Visit> bool readNumbers(const ConstantTensor &tensor, Visit visit) {
  Type type = tensor.type.getElementType();
  const char *bytes = tensor.bytes.data();
  auto with = [&](auto zero) {
    visit([bytes](int64_t i) { return static_cast<double>(readElement<decltype(zero)>(bytes, i)); });
    return true;
  };
  if (type.isF32())
    return with(float());
  if (type.isF64())
    return with(double());
  if (type.isBF16()) {
    visit([bytes](int64_t i) {
      return static_cast<double>(llvm::bit_cast<float>(static_cast<uint32_t>(readElement<uint16_t>(bytes, i)) << 16));
    });
    return true;
  }
  if (type.isF16()) {
    visit([bytes](int64_t i) {
      return APFloat(APFloat::IEEEhalf(), APInt(16, readElement<uint16_t>(bytes, i))).convertToDouble();
    });
    return true;
  }
  auto integer = dyn_cast<IntegerType>(type);
  if (!integer || integer.getWidth() > 32)
    return false;
  bool isUnsigned = integer.isUnsigned();
  switch (integer.getWidth()) {
  case 8:
    return isUnsigned ? with(uint8_t()) : with(int8_t());
  case 16:
    return isUnsigned ? with(uint16_t()) : with(int16_t());
  case 32:
    return isUnsigned ? with(uint32_t()) : with(int32_t());
  default:
    return false;
  }
}

/// Evaluates casts to float types. Casts to integers concern shapes, which ops fold themselves.
std::optional<Bytes> evaluateCast(const ConstantTensor &input, RankedTensorType type) {
  auto target = dyn_cast<FloatType>(type.getElementType());
  if (!target || target.getWidth() < 16)
    return std::nullopt;
  int64_t count = type.getNumElements(), width = target.getWidth() / 8;
  Bytes result(count * width);
  bool isKnown = readNumbers(input, [&](auto read) {
    for (int64_t i = 0; i < count; ++i) {
      if (target.isF32()) {
        writeElement<float>(result, i, static_cast<float>(read(i)));
      } else if (target.isF64()) {
        writeElement<double>(result, i, read(i));
      } else {
        APFloat number(read(i));
        bool losesInfo = false;
        number.convert(target.getFloatSemantics(), APFloat::rmNearestTiesToEven, &losesInfo);
        writeElement<uint16_t>(result, i, static_cast<uint16_t>(number.bitcastToAPInt().getZExtValue()));
      }
    }
  });
  return isKnown ? std::optional(std::move(result)) : std::nullopt;
}

/// Evaluates (x - zero point) * scale, with one scale, one per index of an axis, or one per block of an axis.
std::optional<Bytes> evaluateDequantize(onnx::DequantizeLinearOp op, ArrayRef<ConstantTensor> operands,
                                        RankedTensorType type) {
  const ConstantTensor &x = operands[0], &scale = operands[1];
  bool hasZero = operands.size() > 2 && operands[2].type;
  if (!type.getElementType().isF32() || !scale.type.getElementType().isF32() ||
      !isa<IntegerType>(x.type.getElementType()))
    return std::nullopt;
  ArrayRef<int64_t> shape = type.getShape();
  int64_t axis = op.getAxis() < 0 ? op.getAxis() + type.getRank() : op.getAxis();
  SmallVector<int64_t> strides(type.getRank(), 0), blocks(type.getRank(), 1);
  if (op.getBlockSize() != 0) {
    strides = onnx::rowMajorStrides(scale.type.getShape());
    blocks[axis] = op.getBlockSize();
  } else if (scale.type.getRank() == 1 && scale.type.getNumElements() != 1) {
    strides[axis] = 1;
  }
  SmallVector<int64_t> places = onnx::rowMajorStrides(shape);
  auto findScale = [&](int64_t i) {
    int64_t place = 0;
    for (int64_t d = 0; d < type.getRank(); ++d)
      place += strides[d] ? (i / places[d] % shape[d]) / blocks[d] * strides[d] : 0;
    return place;
  };
  int64_t count = type.getNumElements();
  Bytes result(count * sizeof(float));
  auto dequantize = [&](auto read, auto readZero) {
    for (int64_t i = 0; i < count; ++i) {
      int64_t place = findScale(i);
      writeElement<float>(
          result, i, static_cast<float>(read(i) - readZero(place)) * readElement<float>(scale.bytes.data(), place));
    }
  };
  bool isKnown = false;
  readNumbers(x, [&](auto read) {
    if (!hasZero) {
      dequantize(read, [](int64_t) { return 0.0; });
      isKnown = true;
      return;
    }
    isKnown = readNumbers(operands[2], [&](auto readZero) { dequantize(read, readZero); });
  });
  return isKnown ? std::optional(std::move(result)) : std::nullopt;
}

} // namespace

std::optional<Bytes> evaluateElementwise(Operation *op, ArrayRef<ConstantTensor> operands) {
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (!type || !type.hasStaticShape() || operands.empty() || !operands.front().type)
    return std::nullopt;
  if (isa<onnx::CastOp>(op))
    return evaluateCast(operands.front(), type);
  if (auto dequantize = dyn_cast<onnx::DequantizeLinearOp>(op))
    return evaluateDequantize(dequantize, operands, type);
  // The functions are found by name, and other dialects may use the same names.
  if (!op->hasTrait<onnx::PointwiseOnnxOp>() || !isa<onnx::OnnxDialect>(op->getDialect()) ||
      operands.front().type.getElementType() != type.getElementType())
    return std::nullopt;
  Type element = type.getElementType();
  if (element.isF32())
    return evaluate<float>(op, operands, type);
  if (element.isF64())
    return evaluate<double>(op, operands, type);
  if (element.isInteger(32))
    return evaluate<int32_t>(op, operands, type);
  if (element.isInteger(64))
    return evaluate<int64_t>(op, operands, type);
  return std::nullopt;
}

} // namespace cameo::graph
