// Waits of kernels for earlier launches (programmatic dependent launch), which order their memory accesses.
#ifndef CAMEO_PASSES_CODEGEN_GPU_DEPENDENTLAUNCH_H
#define CAMEO_PASSES_CODEGEN_GPU_DEPENDENTLAUNCH_H

#include "passes/Codegen/Gpu/DeviceCode.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace cameo {

/// Lets the launch after that of `kernel` begin at once, and has the kernel wait for earlier launches before its first
/// operation on memory, unless it has a wait of its own. Where launches are not dependent, erases what is for these.
void orderLaunches(mlir::func::FuncOp kernel, bool areDependent);

/// Returns the function with the code of `kernel`. For the emulator, it is behind one that reads the arguments.
llvm::Function *functionOf(llvm::Module &module, const DeviceKernel &kernel, bool forHost);

/// Completes the code of `kernels` in `module`, which is not optimised yet, for an architecture whose launches are
/// dependent or not. If they are, no access to memory that other launches write moves across a wait: each wait becomes
/// a barrier of memory accesses, and arguments that are not constant lose `noalias`, which would say that nobody else
/// writes there while the kernel runs. Their accesses keep it among each other. If not, waits are erased.
void orderLaunches(llvm::Module &module, llvm::ArrayRef<DeviceKernel> kernels, bool areDependent, bool forHost);

} // namespace cameo

#endif
