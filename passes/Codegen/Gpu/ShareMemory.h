// Shared memory of functions of which a block runs one at a time.
#ifndef CAMEO_PASSES_CODEGEN_GPU_SHAREMEMORY_H
#define CAMEO_PASSES_CODEGEN_GPU_SHAREMEMORY_H

#include "llvm/IR/Module.h"

namespace cameo {

/// Lets the shared memory of each of `functions` begin at one place: all that is left has as many bytes as the one with
/// the most has. What several of them use stays as it is.
void shareMemory(llvm::Module &module, llvm::ArrayRef<llvm::Function *> functions);

} // namespace cameo

#endif
