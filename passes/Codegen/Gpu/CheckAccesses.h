// Instruments kernels for the emulator, so that they report every memory access.
#ifndef CAMEO_PASSES_CODEGEN_GPU_CHECKACCESSES_H
#define CAMEO_PASSES_CODEGEN_GPU_CHECKACCESSES_H

#include "llvm/IR/Module.h"

namespace cameo {

/// Adds a copy of each kernel in `module`, with the suffix ".checked", that calls the function in cameo_emulated_access
/// before each access to device memory. `module` must be code for the emulator that is not optimised yet.
void addCheckedKernels(llvm::Module &module);

} // namespace cameo

#endif
