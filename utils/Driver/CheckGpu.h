// What cameo check --gpu says: the tasks of a model that are slow on GPUs.
#ifndef CAMEO_UTILS_DRIVER_CHECKGPU_H
#define CAMEO_UTILS_DRIVER_CHECKGPU_H

#include "mlir/IR/BuiltinOps.h"

namespace cameo {

/// Tasks that are supported, but slow.
struct SlowTasks {
  std::vector<std::string> singleThread; ///< the GPU runs them on a single thread: no loop nest is built from them
  std::vector<std::string> host;         ///< the host runs them, for the reasons of whyOnHost
};

/// Returns the slow tasks of `module`, whose tasks must be lowered to linalg. Lowers them to loops.
SlowTasks findSlowTasks(mlir::ModuleOp module);

} // namespace cameo

#endif
