// Copies of buffers as parts of a persistent kernel.
#ifndef CAMEO_PASSES_CODEGEN_GPU_COPYBODY_H
#define CAMEO_PASSES_CODEGEN_GPU_COPYBODY_H

#include "llvm/IR/Module.h"

namespace cameo {

/// A block copies 2^copyBodyShift bytes: some loads of each thread.
constexpr unsigned copyBodyShift = 14;

/// Adds a function that `threads` threads call: source, target, their bytes, and the numbers of block and thread. Each
/// thread copies what is so many steps apart, by vectors where both are aligned.
llvm::Function *addCopyBody(llvm::Module &module, int64_t threads);

} // namespace cameo

#endif
