// Keeps values of functions that LLVM does not optimise on the stack between distant uses.
#ifndef CAMEO_PASSES_CODEGEN_LLVM_KEEPONSTACK_H
#define CAMEO_PASSES_CODEGEN_LLVM_KEEPONSTACK_H

#include "llvm/IR/PassManager.h"

namespace cameo {

/// Spills every value of an `optnone` function that has a use far from its definition to a stack slot, from which each
/// user loads it. LLVM's register allocator compares a live range with every call that it spans, and does so again for
/// each part after it splits the live range.
struct KeepOnStackPass : llvm::PassInfoMixin<KeepOnStackPass> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace cameo

#endif
