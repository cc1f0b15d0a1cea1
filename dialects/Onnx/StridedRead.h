// Reads a tensor with any strides: transposed, sliced, repeated.
#ifndef CAMEO_DIALECTS_ONNX_STRIDEDREAD_H
#define CAMEO_DIALECTS_ONNX_STRIDEDREAD_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>
#include <vector>

namespace cameo::onnx {

/// Reads elements of a shape from a source with any strides, in row-major order. Offset and strides are in elements.
struct StridedRead {
  llvm::SmallVector<int64_t> shape, strides;
  int64_t offset = 0;

  /// Merges adjacent dimensions that are contiguous in the source, and removes dimensions of size 1.
  void collapse();
};

/// Returns the elements in order. Returns nothing for elements that do not have 1, 2, 4 or 8 bytes. The source may have
/// any alignment.
std::optional<std::vector<char>> readStrided(StridedRead read, llvm::ArrayRef<char> bytes, int64_t elementBytes);

} // namespace cameo::onnx

#endif
