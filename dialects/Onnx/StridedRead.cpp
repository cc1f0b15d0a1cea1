// Copies rows and columns in tiles, so that no cache line of the source or of the result is fetched twice.
#include "dialects/Onnx/StridedRead.h"

#include "dialects/Onnx/KnownTensor.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace cameo::onnx {

void StridedRead::collapse() {
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

namespace {

/// Weights have no alignment in a model file.
template <typename T> struct [[gnu::packed]] Unaligned {
  T value;
};

/// Copies a rows x columns part: element (r, c) from src[r * rowStride + c * columnStride] to dst[r * dstRowStride +
/// c]. It copies in tiles, so that both sides stay in the cache if the source is transposed.
template <typename T>
void copyPlane(const T *src, T *dst, int64_t rows, int64_t columns, int64_t rowStride, int64_t columnStride,
               int64_t dstRowStride) {
  constexpr int64_t tile = 32;
  for (int64_t rowBegin = 0; rowBegin < rows; rowBegin += tile)
    for (int64_t columnBegin = 0; columnBegin < columns; columnBegin += tile)
      for (int64_t r = rowBegin; r < std::min(rows, rowBegin + tile); ++r)
        for (int64_t c = columnBegin; c < std::min(columns, columnBegin + tile); ++c)
          dst[r * dstRowStride + c] = src[r * rowStride + c * columnStride];
}

/// The last dimension and the one with the smallest stride in the source form the plane; the other dimensions are loops
/// around it.
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
  SmallVector<int64_t> dstStrides = rowMajorStrides(read.shape);
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

} // namespace

std::optional<std::vector<char>> readStrided(StridedRead read, ArrayRef<char> bytes, int64_t elementBytes) {
  int64_t count = elementBytes;
  for (int64_t size : read.shape)
    count *= size;
  std::vector<char> result(count);
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

} // namespace cameo::onnx
