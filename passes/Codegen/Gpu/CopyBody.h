// Emits the copy of a buffer as a body of a persistent kernel.
#ifndef CAMEO_PASSES_CODEGEN_GPU_COPYBODY_H
#define CAMEO_PASSES_CODEGEN_GPU_COPYBODY_H

#include "llvm/IR/Module.h"

namespace cameo {

/// A block copies 2^copyBodyShift bytes, which is a few loads for each thread.
constexpr unsigned copyBodyShift = 14;

/// Adds a function that all `threads` threads of a block call. Its arguments are the source, the target, the number of
/// bytes, and the numbers of the block and the thread. If source and target are the same, nothing is copied. The
/// function copies vectors if both addresses are aligned, and each thread copies elements at a stride of the number of
/// threads.
llvm::Function *addCopyBody(llvm::Module &module, int64_t threads);

} // namespace cameo

#endif
