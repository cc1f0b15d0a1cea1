#include "dialects/Onnx/KnownTensor.h"

#include "dialects/Onnx/ConstantData.h"
#include "dialects/Onnx/OnnxOps.h"
#include "dialects/Onnx/StatedShapes.h"

#include "llvm/ADT/APFloat.h"

#include <cstring>

using namespace mlir;
using namespace cameo;
using namespace cameo::onnx;

bool KnownTensor::isFullyKnown() const {
  return llvm::all_of(elements, [](const Number &number) { return number.isKnown(); });
}

int64_t cameo::onnx::countElements(ArrayRef<int64_t> shape) {
  int64_t count = 1;
  for (int64_t size : shape)
    count *= size;
  return count;
}

SmallVector<int64_t> cameo::onnx::rowMajorStrides(ArrayRef<int64_t> shape) {
  SmallVector<int64_t> strides(shape.size(), 1);
  for (int64_t i = int64_t(shape.size()) - 2; i >= 0; --i)
    strides[i] = strides[i + 1] * shape[i + 1];
  return strides;
}

bool cameo::onnx::isSmall(ShapedType type) {
  if (!type || !type.hasStaticShape())
    return false;
  // Reals take part in shape arithmetic only as a few scales; larger ones are activations and weights.
  int64_t limit = isa<FloatType>(type.getElementType()) ? kMaxKnownReals : kMaxKnownElements;
  int64_t count = 1;
  for (int64_t size : type.getShape()) {
    if (size > limit)
      return false;
    count *= size;
    if (count > limit)
      return false;
  }
  return true;
}

bool cameo::onnx::isKnownType(Type type) {
  if (auto integer = dyn_cast<IntegerType>(type))
    return integer.getWidth() <= 64;
  return type.isF16() || type.isBF16() || type.isF32() || type.isF64();
}

namespace {

std::optional<KnownTensor> fromConstant(ElementsAttr value) {
  auto type = value.getShapedType();
  if (!isSmall(type) || !isKnownType(type.getElementType()))
    return std::nullopt;
  KnownTensor tensor{llvm::to_vector(type.getShape()), type.getElementType(), {}};
  if (tensor.isReal()) {
    std::optional<SmallVector<double>> reals = getConstantFloats(value);
    if (!reals)
      return std::nullopt;
    for (double real : *reals)
      tensor.elements.push_back(Number::ofReal(real));
    return tensor;
  }
  std::optional<SmallVector<int64_t>> ints = getConstantInts(value);
  if (!ints)
    return std::nullopt;
  for (int64_t integer : *ints)
    tensor.elements.push_back(Number::of(Dim(integer)));
  return tensor;
}

/// One query. It caches the results of operations and limits the depth of the evaluation.
class Evaluation {
public:
  std::optional<KnownTensor> evaluate(Value value, int depth);
  LogicalResult evaluate(Operation *op, SmallVectorImpl<KnownTensor> &results, int depth);

private:
  static constexpr int kMaxDepth = 64;
  static constexpr int kMaxOperations = 1024;

  llvm::DenseMap<Operation *, std::optional<SmallVector<KnownTensor, 1>>> cache;
  int visited = 0;
};

LogicalResult Evaluation::evaluate(Operation *op, SmallVectorImpl<KnownTensor> &results, int depth) {
  auto known = dyn_cast<KnownValueOp>(op);
  if (!known || depth > kMaxDepth || ++visited > kMaxOperations)
    return failure();
  SmallVector<std::optional<KnownTensor>> owned;
  SmallVector<const KnownTensor *> operands;
  owned.reserve(op->getNumOperands());
  for (Value operand : op->getOperands()) {
    owned.push_back(evaluate(operand, depth + 1));
    operands.push_back(owned.back() ? &*owned.back() : nullptr);
  }
  return known.evaluate(operands, results);
}

std::optional<KnownTensor> Evaluation::evaluate(Value value, int depth) {
  if (ElementsAttr constant = getConstantAttr(value))
    return fromConstant(constant);
  auto type = dyn_cast<RankedTensorType>(value.getType());
  // Tensors without a static shape are evaluated, too, because shape inference needs their elements before their shape
  // is known.
  if (type && type.hasStaticShape() && !isSmall(type))
    return std::nullopt;
  if (Operation *op = value.getDefiningOp()) {
    auto it = cache.find(op);
    if (it == cache.end()) {
      SmallVector<KnownTensor, 1> results;
      bool succeededHere = succeeded(evaluate(op, results, depth));
      it = cache.try_emplace(op, std::nullopt).first;
      if (succeededHere)
        it->second = std::move(results);
    }
    if (it->second)
      return (*it->second)[cast<OpResult>(value).getResultNumber()];
  }
  if (type && type.getElementType().isIntOrIndex())
    return makeUnknown(type);
  return std::nullopt;
}

} // namespace

std::optional<KnownTensor> cameo::onnx::makeUnknown(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !isSmall(tensor))
    return std::nullopt;
  KnownTensor unknown{llvm::to_vector(tensor.getShape()), tensor.getElementType(), {}};
  unknown.elements.assign(countElements(unknown.shape), Number::unknown());
  return unknown;
}

std::optional<KnownTensor> cameo::onnx::getKnownValue(Value value) { return Evaluation().evaluate(value, 0); }

std::optional<DimList> cameo::onnx::getKnownDims(Value value) {
  std::optional<KnownTensor> tensor = getKnownValue(value);
  if (!tensor || tensor->rank() != 1 || tensor->isReal())
    return std::nullopt;
  DimList dims;
  for (const Number &number : tensor->elements)
    dims.push_back(number.integer);
  return dims;
}

std::optional<SmallVector<int64_t>> cameo::onnx::getKnownInts(Value value) {
  std::optional<KnownTensor> tensor = getKnownValue(value);
  if (!tensor || tensor->isReal())
    return std::nullopt;
  // The minimum 64-bit integer is not a size, but a constant that the rules need.
  if (!tensor->isFullyKnown())
    return getConstantInts(value);
  SmallVector<int64_t> ints;
  for (const Number &number : tensor->elements)
    ints.push_back(number.integer.getSize());
  return ints;
}

std::optional<SmallVector<Attribute>> cameo::onnx::getKnownReals(Value value) {
  std::optional<KnownTensor> tensor = getKnownValue(value);
  if (!tensor || !tensor->isReal())
    return std::nullopt;
  return llvm::map_to_vector(tensor->elements,
                             [&](const Number &number) { return toReal(number, tensor->elementType); });
}

std::optional<SmallVector<double>> cameo::onnx::getKnownFloats(Value value) {
  std::optional<KnownTensor> tensor = getKnownValue(value);
  if (!tensor || !tensor->isReal() || !tensor->isFullyKnown())
    return std::nullopt;
  SmallVector<double> reals;
  for (const Number &number : tensor->elements)
    reals.push_back(*number.real);
  return reals;
}

namespace {

ElementsAttr toConstant(const KnownTensor &tensor) {
  int64_t size = getElementBytes(tensor.elementType);
  std::vector<char> bytes(tensor.elements.size() * size);
  for (auto [i, number] : llvm::enumerate(tensor.elements)) {
    uint64_t bits = 0;
    if (auto type = dyn_cast<FloatType>(tensor.elementType)) {
      APFloat real(*number.real);
      bool losesInfo = false;
      real.convert(type.getFloatSemantics(), APFloat::rmNearestTiesToEven, &losesInfo);
      bits = real.bitcastToAPInt().getZExtValue();
    } else {
      unsigned width = cast<IntegerType>(tensor.elementType).getWidth();
      bits = APInt(64, uint64_t(number.integer.getSize())).trunc(width).getZExtValue();
    }
    std::memcpy(bytes.data() + i * size, &bits, size);
  }
  return makeConstantAttr(RankedTensorType::get(tensor.shape, tensor.elementType), std::move(bytes), "folded");
}

/// Whether a constant may replace a result of this type.
bool isSmallConstant(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.hasStaticShape() && isKnownType(tensor.getElementType()) &&
         tensor.getNumElements() * getElementBytes(tensor.getElementType()) <= kMaxFoldedBytes;
}

/// Whether a constant of the tensor's type may replace the result, whose users expect the same type.
bool canReplace(OpResult result, const KnownTensor &tensor) {
  return result.getType() == RankedTensorType::get(tensor.shape, tensor.elementType) && tensor.isFullyKnown();
}

} // namespace

LogicalResult cameo::onnx::detail::foldKnown(Operation *op, SmallVectorImpl<OpFoldResult> &results) {
  // If the model states a shape that may differ at run time, the operation is kept, so that the operand can be checked
  // against this shape.
  auto mayFold = [&] { return !mayReadOtherShape(cast<OnnxOp>(op)); };
  if (Value same = cast<KnownValueOp>(op).getEqualOperand();
      same && op->getNumResults() == 1 && same.getType() == op->getResult(0).getType()) {
    if (op->getNumOperands() > 1 && !mayFold())
      return failure();
    results.push_back(same);
    return success();
  }
  // Evaluating an activation would visit the nodes that it is computed from.
  if (!llvm::all_of(op->getResultTypes(), isSmallConstant))
    return failure();
  SmallVector<KnownTensor, 1> known;
  if (failed(Evaluation().evaluate(op, known, 0)))
    return failure();
  for (auto [result, tensor] : llvm::zip_equal(op->getResults(), known)) {
    if (!canReplace(result, tensor)) {
      results.clear();
      return failure();
    }
    results.push_back(toConstant(tensor));
  }
  if (mayFold())
    return success();
  results.clear();
  return failure();
}

OpFoldResult cameo::onnx::detail::foldKnown(Operation *op) {
  SmallVector<OpFoldResult, 1> results;
  return succeeded(foldKnown(op, results)) ? results.front() : OpFoldResult();
}
