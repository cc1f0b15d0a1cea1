// Separates the kernels that the host executes from those of the GPU.
#ifndef CAMEO_PASSES_CODEGEN_GPU_HOSTKERNELS_H
#define CAMEO_PASSES_CODEGEN_GPU_HOSTKERNELS_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace cameo {

/// Moves the kernels with `task.host`, and the tables that they read, from `source` to a module of their own. Returns
/// null if there are none. Dispatches of these kernels stay in `source`.
mlir::OwningOpRef<mlir::ModuleOp> takeHostKernels(mlir::ModuleOp source);

} // namespace cameo

#endif
