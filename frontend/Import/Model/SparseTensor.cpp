#include "frontend/Import/Model/SparseTensor.h"

#include "frontend/Import/Model/TensorData.h"

#include "dialects/Onnx/ConstantData.h"
#include "dialects/Onnx/OnnxDialect.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/MathExtras.h"

#include <onnx/onnx_pb.h>

#include <cstring>

using namespace mlir;
using namespace cameo;

namespace {

/// Limit of the expanded size, so that a small file cannot exhaust memory: a constant, and a multiple of the stored
/// size.
constexpr int64_t kBytes = 4096, kBytesPerByte = 1024;

int64_t getElementBytes(Type elementType) {
  if (auto complex = dyn_cast<ComplexType>(elementType))
    return 2 * getElementBytes(complex.getElementType());
  return llvm::divideCeil(elementType.getIntOrFloatBitWidth(), 8);
}

/// Returns the positions in row-major order from linear indices, or from one index per dimension.
FailureOr<SmallVector<int64_t>> readPositions(const ::onnx::TensorProto &indices, ArrayRef<int64_t> shape,
                                              int64_t count, ModelFile &file, Location loc) {
  FailureOr<RankedTensorType> type = getTensorType(indices, loc);
  if (failed(type))
    return failure();
  int64_t perElement = type->getRank() == 2 ? type->getDimSize(1) : 1;
  bool isFlat = type->getRank() == 1, isFull = type->getRank() == 2 && perElement == static_cast<int64_t>(shape.size());
  if (!type->getElementType().isSignlessInteger(64) || (!isFlat && !isFull) || type->getDimSize(0) != count)
    return emitError(loc) << "expected an index of i64 for each of the " << count
                          << " elements of a sparse tensor, or one per dimension, got " << *type;
  FailureOr<HeldBytes> data = readTensorData(indices, *type, file, loc);
  if (failed(data))
    return failure();
  SmallVector<int64_t> numbers(count * perElement), positions;
  llvm::copy(data->bytes, reinterpret_cast<char *>(numbers.data()));
  int64_t total = 1;
  for (int64_t size : shape)
    total *= size;
  for (int64_t element = 0; element < count; ++element) {
    ArrayRef<int64_t> index = ArrayRef(numbers).slice(element * perElement, perElement);
    int64_t position = isFlat ? index.front() : 0;
    bool isInside = !isFlat || (position >= 0 && position < total);
    for (size_t axis = 0; !isFlat && axis < shape.size(); ++axis) {
      isInside &= index[axis] >= 0 && index[axis] < shape[axis];
      position = isInside ? position * shape[axis] + index[axis] : 0;
    }
    if (!isInside || (!positions.empty() && position <= positions.back()))
      return emitError(loc)
             << "expected indices of a sparse tensor within its shape and in ascending order, got another one at "
             << element;
    positions.push_back(position);
  }
  return positions;
}

} // namespace

FailureOr<ElementsAttr> cameo::importSparseTensor(const ::onnx::SparseTensorProto &tensor, ModelFile &file,
                                                  Location loc) {
  FailureOr<RankedTensorType> values = getTensorType(tensor.values(), loc);
  if (failed(values))
    return failure();
  Type elementType = values->getElementType();
  if (isa<cameo::onnx::StringType>(elementType) || values->getRank() != 1)
    return emitError(loc) << "expected the values of a sparse tensor as a vector of numbers, got " << *values;
  int64_t elementBytes = getElementBytes(elementType), sizeBytes = elementBytes, count = values->getDimSize(0);
  SmallVector<int64_t> shape(tensor.dims().begin(), tensor.dims().end());
  for (int64_t size : shape)
    if (size < 0 || llvm::MulOverflow(sizeBytes, size, sizeBytes) ||
        sizeBytes > kBytes + count * elementBytes * kBytesPerByte)
      return emitError(loc) << "expected sizes of 0 or more for a sparse tensor that stores at least one in every "
                            << kBytesPerByte << " elements, got a size of " << size;
  FailureOr<SmallVector<int64_t>> positions = readPositions(tensor.indices(), shape, count, file, loc);
  FailureOr<HeldBytes> data =
      succeeded(positions) ? readTensorData(tensor.values(), *values, file, loc) : FailureOr<HeldBytes>(failure());
  if (failed(data))
    return failure();
  std::vector<char> bytes(sizeBytes);
  for (auto [number, position] : llvm::enumerate(*positions))
    std::memcpy(&bytes[position * elementBytes], &data->bytes[number * elementBytes], elementBytes);
  StringRef name = tensor.values().name().empty() ? StringRef("constant") : StringRef(tensor.values().name());
  return cameo::onnx::makeConstantAttr(RankedTensorType::get(shape, elementType), std::move(bytes), name);
}
