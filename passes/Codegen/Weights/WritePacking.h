// Executes #task.packing on the bytes of a constant, a piece at a time.
#ifndef CAMEO_PASSES_CODEGEN_WEIGHTS_WRITEPACKING_H
#define CAMEO_PASSES_CODEGEN_WEIGHTS_WRITEPACKING_H

#include "dialects/Onnx/StridedRead.h"
#include "dialects/Task/TaskDialect.h"

namespace cameo {

/// Elements of a constant in row-major order, or in that of `order`; one element stands for all when `isSplat`.
struct ConstantElements {
  llvm::ArrayRef<char> bytes;
  int64_t elementBytes = 1;
  bool isSplat = false;
  std::optional<onnx::StridedRead> order = std::nullopt; ///< collapsed; not with matrices
};

/// Fills `piece` with the elements of the new layout from number `begin` on. Its size is a multiple of the element's.
void writePackedPiece(task::PackingAttr packing, const ConstantElements &from, int64_t begin,
                      llvm::MutableArrayRef<char> piece);

} // namespace cameo

#endif
