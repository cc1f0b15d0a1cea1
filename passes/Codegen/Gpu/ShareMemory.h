// Places shared memory: functions that a block executes one at a time overlap, and kernels that need more than every
// launch has get dynamic memory.
#ifndef CAMEO_PASSES_CODEGEN_GPU_SHAREMEMORY_H
#define CAMEO_PASSES_CODEGEN_GPU_SHAREMEMORY_H

#include "llvm/IR/Module.h"

namespace cameo {

/// Places the shared memory of each of `functions` at the same address in one common variable, which has the size of
/// the largest one. A variable that several functions use is left alone.
void shareMemory(llvm::Module &module, llvm::ArrayRef<llvm::Function *> functions);

/// Functions that execute a kernel.
using KernelCode = llvm::SmallVector<llvm::Function *, 1>;

/// Turns the shared memory of each kernel that has more than GpuMachine::staticSharedBytes into dynamic shared memory,
/// which a launch asks for. Returns the bytes that each kernel's launches must ask for, or 0. A variable belongs to a
/// kernel if only its functions use it. For the host, the memory of all kernels begins in the same place, in the
/// section of shared memory.
llvm::SmallVector<uint64_t> makeMemoryDynamic(llvm::Module &module, llvm::ArrayRef<KernelCode> kernels, bool forHost);

} // namespace cameo

#endif
