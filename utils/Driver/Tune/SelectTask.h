// Selects one task of a model by its key, for --task.
#ifndef CAMEO_UTILS_DRIVER_TUNE_SELECTTASK_H
#define CAMEO_UTILS_DRIVER_TUNE_SELECTTASK_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"

namespace cameo {

/// Fails unless `module`, after passes/Partition or a later phase, has a task with this key. The error names the most
/// similar keys.
llvm::Error checkTask(mlir::ModuleOp module, llvm::StringRef key);

/// Erases everything else than the task with this key: before passes/Memory the definitions of other tasks; after it
/// the kernels of other tasks and the body of @main.
void keepTask(mlir::ModuleOp module, llvm::StringRef key);

} // namespace cameo

#endif
