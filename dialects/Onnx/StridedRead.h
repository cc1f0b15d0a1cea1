// A tensor whose elements lie in memory in any regular order: transposed, sliced, repeated.
#ifndef CAMEO_DIALECTS_ONNX_STRIDEDREAD_H
#define CAMEO_DIALECTS_ONNX_STRIDEDREAD_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>
#include <vector>

namespace cameo::onnx {

/// Reads `shape` elements from a source with any strides, in row-major order. Offset and strides count elements.
struct StridedRead {
  llvm::SmallVector<int64_t> shape, strides;
  int64_t offset = 0;

  /// The same elements in fewer dimensions: neighbours that the source also walks in one go are one, those of one
  /// element are none.
  void collapse();
};

/// The elements in order. Nothing for elements that do not have 1, 2, 4 or 8 bytes. The source may lie at any address.
std::optional<std::vector<char>> readStrided(StridedRead read, llvm::ArrayRef<char> bytes, int64_t elementBytes);

} // namespace cameo::onnx

#endif
