#include "dialects/Onnx/ConstantData.h"

#include "dialects/Onnx/OnnxDialect.h"
#include "dialects/Onnx/OnnxOps.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/ADT/APFloat.h"

#include <cstring>

using namespace mlir;
using namespace cameo::onnx;

int64_t cameo::onnx::getElementBytes(Type elementType) {
  if (auto complex = dyn_cast<ComplexType>(elementType))
    return 2 * getElementBytes(complex.getElementType());
  if (elementType.isIntOrFloat())
    return llvm::divideCeil(elementType.getIntOrFloatBitWidth(), 8);
  return 0;
}

ElementsAttr cameo::onnx::getConstantAttr(Value value) {
  auto constant = value.getDefiningOp<ConstantOp>();
  return constant ? constant.getValue() : ElementsAttr();
}

namespace {

/// Whether the booleans are stored as bits, as in all dense attributes except splats.
bool isPacked(DenseElementsAttr dense) { return dense.getElementType().isInteger(1) && !dense.isSplat(); }

std::vector<char> unpackBools(DenseElementsAttr dense) {
  std::vector<char> bytes;
  bytes.reserve(dense.getNumElements());
  for (bool value : dense.getValues<bool>())
    bytes.push_back(value);
  return bytes;
}

/// Returns `value` as one byte, 0 or 1; a dense splat stores true as 0xff.
ArrayRef<char> boolBytes(bool value) {
  static const char bytes[] = {0, 1};
  return ArrayRef<char>(bytes + (value ? 1 : 0), 1);
}

int64_t expectedBytes(ShapedType type) { return type.getNumElements() * getElementBytes(type.getElementType()); }

} // namespace

std::optional<ArrayRef<char>> cameo::onnx::getRawConstant(Attribute value) {
  if (auto dense = dyn_cast_or_null<DenseElementsAttr>(value)) {
    if (isa<DenseStringElementsAttr>(value) || isPacked(dense))
      return std::nullopt;
    if (dense.getElementType().isInteger(1))
      return dense.empty() ? ArrayRef<char>() : boolBytes(dense.getSplatValue<bool>());
    return dense.getRawData();
  }
  if (auto resource = dyn_cast_or_null<DenseResourceElementsAttr>(value)) {
    AsmResourceBlob *blob = resource.getRawHandle().getBlob();
    if (!blob || int64_t(blob->getData().size()) != expectedBytes(resource.getType()))
      return std::nullopt;
    return blob->getData();
  }
  return std::nullopt;
}

std::optional<ArrayRef<char>> cameo::onnx::getRawConstant(Value value) {
  return getRawConstant(getConstantAttr(value));
}

std::optional<std::vector<char>> cameo::onnx::readConstant(Attribute value) {
  if (std::optional<TransposedConstant> transposed = getTransposedConstant(value))
    return readStrided(transposed->read, transposed->bytes,
                       getElementBytes(cast<ElementsAttr>(value).getElementType()));
  auto dense = dyn_cast_or_null<DenseElementsAttr>(value);
  if (dense && !isa<DenseStringElementsAttr>(value) && isPacked(dense))
    return unpackBools(dense);
  std::optional<ArrayRef<char>> raw = getRawConstant(value);
  if (!raw)
    return std::nullopt;
  auto type = cast<ElementsAttr>(value).getShapedType();
  std::vector<char> bytes(raw->begin(), raw->end());
  if (type.getNumElements() > 1 && int64_t(bytes.size()) == getElementBytes(type.getElementType())) {
    bytes.reserve(expectedBytes(type));
    for (int64_t i = 1, e = type.getNumElements(); i < e; ++i)
      bytes.insert(bytes.end(), raw->begin(), raw->end());
  }
  return bytes;
}

std::optional<std::vector<char>> cameo::onnx::readConstant(Value value) { return readConstant(getConstantAttr(value)); }

std::optional<SmallVector<int64_t>> cameo::onnx::getConstantInts(Attribute value) {
  auto elements = dyn_cast_or_null<ElementsAttr>(value);
  auto type = elements ? dyn_cast<IntegerType>(elements.getElementType()) : IntegerType();
  if (!type || type.getWidth() > 64)
    return std::nullopt;
  std::optional<std::vector<char>> bytes = readConstant(value);
  if (!bytes)
    return std::nullopt;
  int64_t size = getElementBytes(type);
  SmallVector<int64_t> values;
  values.reserve(bytes->size() / size);
  bool isUnsigned = type.isUnsigned() || type.getWidth() == 1;
  for (size_t at = 0; at < bytes->size(); at += size) {
    uint64_t bits = 0;
    std::memcpy(&bits, bytes->data() + at, size);
    APInt number(64, bits);
    number = number.trunc(type.getWidth());
    values.push_back(isUnsigned ? number.getZExtValue() : number.getSExtValue());
  }
  return values;
}

std::optional<SmallVector<int64_t>> cameo::onnx::getConstantInts(Value value) {
  return getConstantInts(getConstantAttr(value));
}

std::optional<SmallVector<double>> cameo::onnx::getConstantFloats(Attribute value) {
  auto elements = dyn_cast_or_null<ElementsAttr>(value);
  auto type = elements ? dyn_cast<FloatType>(elements.getElementType()) : FloatType();
  if (!type || !(type.isF16() || type.isBF16() || type.isF32() || type.isF64()))
    return std::nullopt;
  std::optional<std::vector<char>> bytes = readConstant(value);
  if (!bytes)
    return std::nullopt;
  int64_t size = getElementBytes(type);
  SmallVector<double> values;
  values.reserve(bytes->size() / size);
  for (size_t at = 0; at < bytes->size(); at += size) {
    uint64_t bits = 0;
    std::memcpy(&bits, bytes->data() + at, size);
    APFloat number(type.getFloatSemantics(), APInt(type.getWidth(), bits));
    bool losesInfo = false;
    number.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &losesInfo);
    values.push_back(number.convertToDouble());
  }
  return values;
}

std::optional<SmallVector<double>> cameo::onnx::getConstantFloats(Value value) {
  return getConstantFloats(getConstantAttr(value));
}

namespace {

/// Whether all of several elements have the same bytes, so that a splat can represent them.
bool isSplat(ArrayRef<char> bytes, int64_t elementBytes) {
  if (int64_t(bytes.size()) <= elementBytes)
    return false;
  return std::memcmp(bytes.data(), bytes.data() + elementBytes, bytes.size() - elementBytes) == 0;
}

ElementsAttr makeDense(RankedTensorType type, ArrayRef<char> bytes) {
  if (!type.getElementType().isInteger(1))
    return DenseElementsAttr::getFromRawBuffer(type, bytes);
  SmallVector<bool> values;
  for (char byte : bytes)
    values.push_back(byte != 0);
  return DenseElementsAttr::get(type, values);
}

} // namespace

ElementsAttr cameo::onnx::makeConstantAttr(RankedTensorType type, ArrayRef<char> bytes,
                                           std::shared_ptr<const void> owner, StringRef name) {
  assert(int64_t(bytes.size()) == expectedBytes(type) && "the caller checks the size of what it read");
  int64_t elementBytes = getElementBytes(type.getElementType());
  // Types of values have names of dimensions; that of a constant has none.
  type = RankedTensorType::get(type.getShape(), type.getElementType());
  if (isSplat(bytes, elementBytes))
    return makeDense(type, bytes.take_front(elementBytes));
  if (int64_t(bytes.size()) <= kMaxDenseBytes)
    return makeDense(type, bytes);
  AsmResourceBlob blob(bytes, /*dataAlignment=*/1, [owner](void *, size_t, size_t) {}, /*dataIsMutable=*/false);
  return DenseResourceElementsAttr::get(type, name, std::move(blob));
}

ElementsAttr cameo::onnx::makeConstantAttr(RankedTensorType type, std::vector<char> bytes, StringRef name) {
  auto owned = std::make_shared<const std::vector<char>>(std::move(bytes));
  return makeConstantAttr(type, ArrayRef<char>(*owned), owned, name);
}

Value cameo::onnx::makeConstant(OpBuilder &builder, Location loc, RankedTensorType type, std::vector<char> bytes,
                                StringRef name) {
  ElementsAttr value = makeConstantAttr(type, std::move(bytes), name);
  return ConstantOp::create(builder, loc, cast<ShapedType>(value.getType()), value);
}

Value cameo::onnx::makeIntsConstant(OpBuilder &builder, Location loc, ArrayRef<int64_t> values) {
  auto type = RankedTensorType::get({int64_t(values.size())}, builder.getI64Type());
  return ConstantOp::create(builder, loc, type, DenseElementsAttr::get(type, values));
}

Value cameo::onnx::makeIntConstant(OpBuilder &builder, Location loc, int64_t value) {
  auto type = RankedTensorType::get({}, builder.getI64Type());
  return ConstantOp::create(builder, loc, type, DenseElementsAttr::get(type, value));
}

Value cameo::onnx::makeFloatConstant(OpBuilder &builder, Location loc, float value) {
  auto type = RankedTensorType::get({}, builder.getF32Type());
  return ConstantOp::create(builder, loc, type, DenseElementsAttr::get(type, value));
}

Value cameo::onnx::makeNone(OpBuilder &builder, Location loc) {
  return NoneOp::create(builder, loc, builder.getNoneType());
}
