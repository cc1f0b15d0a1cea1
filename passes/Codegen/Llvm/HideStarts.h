// Addresses in innermost loops as a start, which LLVM does not look into, and what the loop adds to it.
#ifndef CAMEO_PASSES_CODEGEN_LLVM_HIDESTARTS_H
#define CAMEO_PASSES_CODEGEN_LLVM_HIDESTARTS_H

#include "llvm/IR/PassManager.h"

namespace cameo {

/// LLVM's reduction of loop strength tries the ways to divide each address of an innermost loop into registers, and the
/// terms that the loop does not change, from the loops around it, are part of them: their number grows with each loop.
/// What is hidden is one register, as it turned out to be.
struct HideStartsPass : llvm::PassInfoMixin<HideStartsPass> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace cameo

#endif
