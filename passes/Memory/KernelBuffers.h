// How many buffers a kernel takes.
#ifndef CAMEO_PASSES_MEMORY_KERNELBUFFERS_H
#define CAMEO_PASSES_MEMORY_KERNELBUFFERS_H

#include "dialects/Task/TaskDialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace cameo {

/// All arguments but the range, or but the block.
inline unsigned bufferCount(mlir::func::FuncOp kernel) {
  return kernel.getNumArguments() - (kernel->hasAttr(task::TaskDialect::getBlockName()) ? 1 : 2);
}

} // namespace cameo

#endif
