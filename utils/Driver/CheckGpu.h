// What of a model has no form on a GPU yet.
#ifndef CAMEO_UTILS_DRIVER_CHECKGPU_H
#define CAMEO_UTILS_DRIVER_CHECKGPU_H

#include "dialects/Target/GpuMachine.h"

#include "mlir/IR/BuiltinOps.h"

namespace cameo {

/// Emits an error at each operation of `module`, whose tasks are lowered to linalg, that compiling for `gpu` would
/// refuse.
void checkOnGpu(mlir::ModuleOp module, const GpuMachine &gpu);

/// The nodes of `module`, as above, that a GPU runs on a single thread: no loop nest is built from them. The module
/// holds loops afterwards.
std::vector<std::string> findSingleThread(mlir::ModuleOp module);

} // namespace cameo

#endif
