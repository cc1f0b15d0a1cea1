// Runs the LLVM passes of code generation.
#ifndef CAMEO_PASSES_CODEGEN_LLVM_OPTIMIZELLVM_H
#define CAMEO_PASSES_CODEGEN_LLVM_OPTIMIZELLVM_H

#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

namespace cameo {

/// Sets the processor on every function and runs clean-up passes. The kernels are already register-blocked and
/// vectorised; these passes handle common subexpressions, loop invariants and addresses.
void optimizeLlvm(llvm::Module &module, llvm::TargetMachine &machine, int64_t vectorBytes);

/// Makes `machine` generate code in a third of the time. The code takes several times as long to run.
void generateQuickly(llvm::TargetMachine &machine);

} // namespace cameo

#endif
