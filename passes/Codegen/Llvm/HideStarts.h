// Splits addresses in innermost loops into an opaque start and an offset that the loop computes.
#ifndef CAMEO_PASSES_CODEGEN_LLVM_HIDESTARTS_H
#define CAMEO_PASSES_CODEGEN_LLVM_HIDESTARTS_H

#include "llvm/IR/PassManager.h"

namespace cameo {

/// LLVM's loop strength reduction tries all ways to split an address of an innermost loop into registers. The
/// loop-invariant terms from outer loops take part, so the number of ways grows with each loop. An opaque start is
/// always one register, which is the best split as measured.
struct HideStartsPass : llvm::PassInfoMixin<HideStartsPass> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace cameo

#endif
