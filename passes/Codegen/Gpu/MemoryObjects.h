// Finds the memory that an instruction of a kernel accesses.
#ifndef CAMEO_PASSES_CODEGEN_GPU_MEMORYOBJECTS_H
#define CAMEO_PASSES_CODEGEN_GPU_MEMORYOBJECTS_H

#include "llvm/IR/Value.h"

namespace cameo {

/// Returns the underlying object of `address`. Looks through the memref descriptors that MLIR inserts pointers into and
/// extracts them from.
llvm::Value *objectOf(llvm::Value *address);

} // namespace cameo

#endif
