#include "passes/Graph/EvaluateConstant.h"
#include "passes/Graph/ScalarConstant.h"

#include "dialects/Onnx/ConstantData.h"
#include "dialects/Onnx/KnownTensor.h"
#include "dialects/Onnx/OnnxOps.h"
#include <cstring>

using namespace mlir;

namespace cameo::graph {

SmallVector<int64_t> getBroadcastStrides(ArrayRef<int64_t> operand, ArrayRef<int64_t> shape) {
  SmallVector<int64_t> strides(shape.size(), 0);
  SmallVector<int64_t> own = onnx::rowMajorStrides(operand);
  int64_t missing = shape.size() - operand.size();
  for (size_t i = 0; i < operand.size(); ++i)
    strides[missing + i] = operand[i] == 1 ? 0 : own[i];
  return strides;
}

namespace {

/// Reads `shape` elements from a source with any strides, and writes them in order.
struct StridedRead {
  SmallVector<int64_t> shape, strides;
  int64_t offset = 0;

  /// Joins neighbouring dimensions that the source also walks in one go: fewer loops, longer lines.
  void collapse() {
    SmallVector<int64_t> joinedShape, joinedStrides;
    for (auto [size, stride] : llvm::zip(shape, strides)) {
      if (size == 1)
        continue;
      if (!joinedShape.empty() && joinedStrides.back() == stride * size) {
        joinedShape.back() *= size;
        joinedStrides.back() = stride;
        continue;
      }
      joinedShape.push_back(size);
      joinedStrides.push_back(stride);
    }
    shape = joinedShape;
    strides = joinedStrides;
  }
};

/// Weights lie in a model file wherever they happened to.
template <typename T> struct [[gnu::packed]] Unaligned {
  T value;
};

/// Copies a rows x columns part: element (r, c) from src[r * rowStride + c * columnStride] to dst[r * dstRowStride + c]. In tiles,
/// so that both sides stay in the cache when the source runs across.
template <typename T>
void copyPlane(const T *src, T *dst, int64_t rows, int64_t columns, int64_t rowStride, int64_t columnStride, int64_t dstRowStride) {
  constexpr int64_t tile = 32;
  for (int64_t rowBegin = 0; rowBegin < rows; rowBegin += tile)
    for (int64_t columnBegin = 0; columnBegin < columns; columnBegin += tile)
      for (int64_t r = rowBegin; r < std::min(rows, rowBegin + tile); ++r)
        for (int64_t c = columnBegin; c < std::min(columns, columnBegin + tile); ++c)
          dst[r * dstRowStride + c] = src[r * rowStride + c * columnStride];
}

/// The last dimension and the one that the source walks fastest form the plane; the others are looped over.
template <typename T> void copyStrided(const StridedRead &read, const T *src, T *dst) {
  int64_t rank = read.shape.size();
  src += read.offset;
  if (rank == 0) {
    *dst = *src;
    return;
  }
  int64_t last = rank - 1, row = -1;
  for (int64_t i = 0; i < last; ++i)
    if (row < 0 || std::abs(read.strides[i]) < std::abs(read.strides[row]))
      row = i;
  SmallVector<int64_t> dstStrides = onnx::rowMajorStrides(read.shape);
  int64_t rows = row < 0 ? 1 : read.shape[row];
  int64_t rowStride = row < 0 ? 0 : read.strides[row], dstRowStride = row < 0 ? 0 : dstStrides[row];

  SmallVector<int64_t> index(rank, 0);
  int64_t from = 0, to = 0;
  while (true) {
    copyPlane(src + from, dst + to, rows, read.shape[last], rowStride, read.strides[last], dstRowStride);
    int64_t i = last - 1;
    for (; i >= 0; --i) {
      if (i == row)
        continue;
      from += read.strides[i];
      to += dstStrides[i];
      if (++index[i] < read.shape[i])
        break;
      from -= read.strides[i] * read.shape[i];
      to -= dstStrides[i] * read.shape[i];
      index[i] = 0;
    }
    if (i < 0)
      return;
  }
}

std::optional<Bytes> readStrided(StridedRead read, ArrayRef<char> bytes, int64_t elementBytes) {
  int64_t count = elementBytes;
  for (int64_t size : read.shape)
    count *= size;
  Bytes result(count);
  if (count == 0)
    return result;
  read.collapse();
  const void *src = bytes.data();
  void *dst = result.data();
  switch (elementBytes) {
  case 1:
    copyStrided(read, static_cast<const Unaligned<uint8_t> *>(src), static_cast<Unaligned<uint8_t> *>(dst));
    return result;
  case 2:
    copyStrided(read, static_cast<const Unaligned<uint16_t> *>(src), static_cast<Unaligned<uint16_t> *>(dst));
    return result;
  case 4:
    copyStrided(read, static_cast<const Unaligned<uint32_t> *>(src), static_cast<Unaligned<uint32_t> *>(dst));
    return result;
  case 8:
    copyStrided(read, static_cast<const Unaligned<uint64_t> *>(src), static_cast<Unaligned<uint64_t> *>(dst));
    return result;
  default:
    return std::nullopt;
  }
}

std::optional<StridedRead> describeSlice(onnx::SliceOp op, RankedTensorType type, ArrayRef<int64_t> shape) {
  std::optional<SmallVector<int64_t>> starts = onnx::getConstantInts(op.getStarts());
  std::optional<SmallVector<int64_t>> axes, steps;
  if (isa<NoneType>(op.getAxes().getType()))
    axes = llvm::to_vector(llvm::seq<int64_t>(0, starts ? starts->size() : 0));
  else
    axes = getAxes(op.getAxes(), type.getRank());
  if (!isa<NoneType>(op.getSteps().getType()))
    steps = onnx::getConstantInts(op.getSteps());
  else if (starts)
    steps = SmallVector<int64_t>(starts->size(), 1);
  if (!starts || !axes || !steps)
    return std::nullopt;
  StridedRead read{SmallVector<int64_t>(shape), onnx::rowMajorStrides(type.getShape()), 0};
  for (auto [start, axis, step] : llvm::zip(*starts, *axes, *steps)) {
    int64_t size = type.getDimSize(axis);
    int64_t first = std::clamp<int64_t>(start < 0 ? start + size : start, 0, step < 0 ? size - 1 : size);
    read.offset += first * read.strides[axis];
    read.strides[axis] *= step;
  }
  return read;
}

std::optional<StridedRead> describeTranspose(onnx::TransposeOp op, RankedTensorType type, ArrayRef<int64_t> shape) {
  SmallVector<int64_t> strides = onnx::rowMajorStrides(type.getShape());
  StridedRead read{SmallVector<int64_t>(shape), {}, 0};
  for (int64_t i = 0; i < type.getRank(); ++i)
    read.strides.push_back(strides[op.getPerm() ? (*op.getPerm())[i] : type.getRank() - 1 - i]);
  return read;
}

std::optional<Bytes> evaluateConcat(onnx::ConcatOp op, ArrayRef<ConstantTensor> operands) {
  int64_t rank = operands.front().type.getRank();
  int64_t axis = op.getAxis() < 0 ? op.getAxis() + rank : op.getAxis();
  int64_t lines = 1, total = 0;
  for (int64_t size : operands.front().type.getShape().take_front(axis))
    lines *= size;
  for (const ConstantTensor &operand : operands)
    total += operand.bytes.size();
  Bytes result(total);
  if (total == 0)
    return result;
  char *to = result.data();
  for (int64_t line = 0; line < lines; ++line)
    for (const ConstantTensor &operand : operands) {
      size_t lineBytes = operand.bytes.size() / lines;
      std::memcpy(to, operand.bytes.data() + line * lineBytes, lineBytes);
      to += lineBytes;
    }
  return result;
}

/// Rows of the first operand along an axis, chosen by constant indices.
std::optional<Bytes> evaluateGather(onnx::GatherOp op, const ConstantTensor &data, int64_t elementBytes) {
  std::optional<SmallVector<int64_t>> indices = onnx::getConstantInts(op.getIndices());
  if (!indices)
    return std::nullopt;
  ArrayRef<int64_t> shape = data.type.getShape();
  int64_t axis = op.getAxis() < 0 ? op.getAxis() + data.type.getRank() : op.getAxis();
  int64_t lines = 1, lineBytes = elementBytes;
  for (int64_t size : shape.take_front(axis))
    lines *= size;
  for (int64_t size : shape.drop_front(axis + 1))
    lineBytes *= size;
  Bytes result(lines * indices->size() * lineBytes);
  char *to = result.data();
  for (int64_t line = 0; line < lines; ++line)
    for (int64_t index : *indices) {
      int64_t place = index < 0 ? index + shape[axis] : index;
      if (place < 0 || place >= shape[axis])
        return std::nullopt;
      std::memcpy(to, data.bytes.data() + (line * shape[axis] + place) * lineBytes, lineBytes);
      to += lineBytes;
    }
  return result;
}

} // namespace

std::optional<Bytes> evaluateMovement(Operation *op, ArrayRef<ConstantTensor> operands) {
  auto resultType = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (!resultType || !resultType.hasStaticShape() || operands.empty() || !operands.front().type)
    return std::nullopt;
  const ConstantTensor &data = operands.front();
  int64_t bits = resultType.getElementType().isIntOrFloat() ? resultType.getElementTypeBitWidth() : 0;
  if (bits == 0 || bits % 8 != 0)
    return std::nullopt;
  std::optional<StridedRead> read;
  if (auto slice = dyn_cast<onnx::SliceOp>(op))
    read = describeSlice(slice, data.type, resultType.getShape());
  else if (auto transpose = dyn_cast<onnx::TransposeOp>(op))
    read = describeTranspose(transpose, data.type, resultType.getShape());
  else if (isa<onnx::ExpandOp>(op))
    read = StridedRead{SmallVector<int64_t>(resultType.getShape()),
                       getBroadcastStrides(data.type.getShape(), resultType.getShape()), 0};
  else if (auto concat = dyn_cast<onnx::ConcatOp>(op))
    return evaluateConcat(concat, operands);
  else if (auto gather = dyn_cast<onnx::GatherOp>(op))
    return evaluateGather(gather, data, bits / 8);
  return read ? readStrided(*read, data.bytes, bits / 8) : std::nullopt;
}

} // namespace cameo::graph
