// Kernels for the emulator that tell it of every access to memory.
#ifndef CAMEO_PASSES_CODEGEN_GPU_CHECKACCESSES_H
#define CAMEO_PASSES_CODEGEN_GPU_CHECKACCESSES_H

#include "llvm/IR/Module.h"

namespace cameo {

/// Gives each kernel of `module`, which is for the emulator and not optimised yet, a copy with ".checked" behind its
/// name that calls the function in cameo_emulated_access before each access to memory of the device.
void addCheckedKernels(llvm::Module &module);

} // namespace cameo

#endif
