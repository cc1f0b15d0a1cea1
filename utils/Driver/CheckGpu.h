// Finds what GPUs do not support in a model.
#ifndef CAMEO_UTILS_DRIVER_CHECKGPU_H
#define CAMEO_UTILS_DRIVER_CHECKGPU_H

#include "dialects/Target/GpuMachine.h"

#include "mlir/IR/BuiltinOps.h"

namespace cameo {

/// Emits an error at each operation that is not supported on `gpu`. The tasks of `module` must be lowered to linalg.
void checkOnGpu(mlir::ModuleOp module, const GpuMachine &gpu);

/// Returns the nodes of `module`, a module as above, that a GPU runs on a single thread because no loop nest is built
/// from them. The module is lowered to loops.
std::vector<std::string> findSingleThread(mlir::ModuleOp module);

} // namespace cameo

#endif
