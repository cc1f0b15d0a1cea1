// LLVM's part of optimisation.
#ifndef CAMEO_PASSES_CODEGEN_LLVM_OPTIMIZELLVM_H
#define CAMEO_PASSES_CODEGEN_LLVM_OPTIMIZELLVM_H

#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

namespace cameo {

/// Names the processor on every function and cleans the code up. Kernels are blocked for registers and vectorised
/// already: what is left is common subexpressions, loop invariants and addresses.
void optimizeLlvm(llvm::Module &module, llvm::TargetMachine &machine, int64_t vectorBytes);

/// From now on `machine` makes code in a third of the time, which takes several times as long to run.
void generateQuickly(llvm::TargetMachine &machine);

} // namespace cameo

#endif
