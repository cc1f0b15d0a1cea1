// Masked stores of which one lane is stored, as stores of that lane. LLVM 22 stores more than the lane where the vector
// was truncated.
#ifndef CAMEO_PASSES_CODEGEN_LLVM_STORESINGLELANES_H
#define CAMEO_PASSES_CODEGEN_LLVM_STORESINGLELANES_H

#include "llvm/IR/PassManager.h"

namespace cameo {

/// With AVX-512 LLVM joins a truncation and the masked store behind it, and makes a store of one lane out of that,
/// which forgets the truncation: it writes the lane as wide as it was, over what follows in memory
/// (https://github.com/llvm/llvm-project/issues/179489). A lane that is stored by itself never comes to that.
struct StoreSingleLanesPass : llvm::PassInfoMixin<StoreSingleLanesPass> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace cameo

#endif
