// Overlaps the shared memory of functions that a block executes one at a time.
#ifndef CAMEO_PASSES_CODEGEN_GPU_SHAREMEMORY_H
#define CAMEO_PASSES_CODEGEN_GPU_SHAREMEMORY_H

#include "llvm/IR/Module.h"

namespace cameo {

/// Places the shared memory of each of `functions` at the same address in one common variable, which has the size of
/// the largest one. A variable that several functions use is left alone.
void shareMemory(llvm::Module &module, llvm::ArrayRef<llvm::Function *> functions);

} // namespace cameo

#endif
