// Finds the dependences between the steps of a run that is a single launch.
#ifndef CAMEO_PASSES_CODEGEN_GPU_FINDDEPENDENCES_H
#define CAMEO_PASSES_CODEGEN_GPU_FINDDEPENDENCES_H

#include "passes/Codegen/Plan/ModelPlan.h"

#include "llvm/ADT/StringMap.h"

namespace cameo {

/// How a kernel accesses one of its buffers.
struct BufferUse {
  bool isRead = false, isWritten = false;
};
using BufferUses = llvm::StringMap<llvm::SmallVector<BufferUse>>;

/// Returns the uses of the buffers of all kernels of `module`, by name of the kernel. The kernels must not be converted
/// yet. A buffer whose address escapes counts as read and written.
BufferUses findBufferUses(mlir::ModuleOp module);

/// Returns for each step the numbers of earlier steps that it must wait for, because of a read after write, a write
/// after write or a write after read. All steps must be kernels or copies. A dependence that another one implies is
/// left out, if the step in between has work for all sizes of the run.
std::vector<llvm::SmallVector<unsigned>> findDependences(const ModelPlan &plan, const BufferUses &uses);

} // namespace cameo

#endif
