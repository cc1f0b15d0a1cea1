// Executes #task.packing on the bytes of a constant, a piece at a time.
#ifndef CAMEO_PASSES_CODEGEN_WEIGHTS_WRITEPACKING_H
#define CAMEO_PASSES_CODEGEN_WEIGHTS_WRITEPACKING_H

#include "dialects/Onnx/StridedRead.h"
#include "dialects/Task/TaskDialect.h"

namespace cameo {

/// The elements of a constant, in row-major order or in the order of `order`. With `isSplat`, `bytes` holds one element
/// that stands for all.
struct ConstantElements {
  llvm::ArrayRef<char> bytes;
  int64_t elementBytes = 1;
  bool isSplat = false;
  std::optional<onnx::StridedRead> order = std::nullopt; ///< with collapsed dimensions; not supported together with
                                                         ///< matrices
};

/// Fills `piece` with the elements of the packed layout from number `begin` on. The size of `piece` must be a multiple
/// of the element size.
void writePackedPiece(task::PackingAttr packing, const ConstantElements &from, int64_t begin,
                      llvm::MutableArrayRef<char> piece);

} // namespace cameo

#endif
