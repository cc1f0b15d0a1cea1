// Finds what GPUs do not support in a model.
#ifndef CAMEO_UTILS_DRIVER_CHECKGPU_H
#define CAMEO_UTILS_DRIVER_CHECKGPU_H

#include "dialects/Target/GpuMachine.h"

#include "mlir/IR/BuiltinOps.h"

namespace cameo {

/// Emits an error at each operation that is not supported on `gpu`. The tasks of `module` must be lowered to linalg.
void checkOnGpu(mlir::ModuleOp module, const GpuMachine &gpu);

/// Tasks that are supported, but slow.
struct SlowTasks {
  std::vector<std::string> singleThread; ///< the GPU runs them on a single thread: no loop nest is built from them
  std::vector<std::string> host;         ///< the host runs them, because they read or make strings
};

/// Returns the slow tasks of `module`, a module as above, which is lowered to loops.
SlowTasks findSlowTasks(mlir::ModuleOp module);

} // namespace cameo

#endif
