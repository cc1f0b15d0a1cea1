// Replaces masked stores of a single lane by scalar stores, because LLVM 22 stores too many bytes if the vector was
// truncated.
#ifndef CAMEO_PASSES_CODEGEN_LLVM_STORESINGLELANES_H
#define CAMEO_PASSES_CODEGEN_LLVM_STORESINGLELANES_H

#include "llvm/IR/PassManager.h"

namespace cameo {

/// With AVX-512, LLVM combines a truncation and the masked store of its result, and then turns a masked store of one
/// lane into a scalar store without the truncation. It stores the lane in its wider type, over the memory that follows
/// (https://github.com/llvm/llvm-project/issues/179489). A scalar store from the start avoids this combine.
struct StoreSingleLanesPass : llvm::PassInfoMixin<StoreSingleLanesPass> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace cameo

#endif
