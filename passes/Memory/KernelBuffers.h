// Counts the buffers of a kernel.
#ifndef CAMEO_PASSES_MEMORY_KERNELBUFFERS_H
#define CAMEO_PASSES_MEMORY_KERNELBUFFERS_H

#include "dialects/Task/TaskDialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace cameo {

/// Returns the number of arguments without those of the iteration range, or without that of the block for a block
/// kernel.
inline unsigned bufferCount(mlir::func::FuncOp kernel) {
  return kernel.getNumArguments() - (kernel->hasAttr(task::TaskDialect::getBlockName()) ? 1 : 2);
}

} // namespace cameo

#endif
