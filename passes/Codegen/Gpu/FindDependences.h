// Which steps of a run must be done before another one may begin, where all of them are parts of one launch.
#ifndef CAMEO_PASSES_CODEGEN_GPU_FINDDEPENDENCES_H
#define CAMEO_PASSES_CODEGEN_GPU_FINDDEPENDENCES_H

#include "passes/Codegen/Plan/ModelPlan.h"

#include "llvm/ADT/StringMap.h"

namespace cameo {

/// What a kernel does with each of its buffers.
struct BufferUse {
  bool isRead = false, isWritten = false;
};
using BufferUses = llvm::StringMap<llvm::SmallVector<BufferUse>>;

/// Of all kernels of a module before they are converted, by name. What is done with an address that nobody follows is
/// both.
BufferUses findBufferUses(mlir::ModuleOp module);

/// For each step, all of them kernels and copies, the numbers of earlier ones that it waits for: those that write what
/// it reads or writes, and those that read what it writes. One that another one of them waits for is left out, where
/// that has work to do whatever the sizes of the run are.
std::vector<llvm::SmallVector<unsigned>> findDependences(const ModelPlan &plan, const BufferUses &uses);

} // namespace cameo

#endif
