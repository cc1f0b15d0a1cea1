// Values of functions that LLVM does not optimise: in memory between uses that are far apart.
#ifndef CAMEO_PASSES_CODEGEN_LLVM_KEEPONSTACK_H
#define CAMEO_PASSES_CODEGEN_LLVM_KEEPONSTACK_H

#include "llvm/IR/PassManager.h"

namespace cameo {

/// Gives every value of an `optnone` function that is read far behind its definition a place on the stack, from which
/// each reader loads it. LLVM's register allocator compares a value that lives across calls with each of them, and does
/// so again for every part that it splits the value into.
struct KeepOnStackPass : llvm::PassInfoMixin<KeepOnStackPass> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace cameo

#endif
