// One task of a model, by its key: what --task shows.
#ifndef CAMEO_UTILS_DRIVER_TUNE_SELECTTASK_H
#define CAMEO_UTILS_DRIVER_TUNE_SELECTTASK_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"

namespace cameo {

/// Whether a task of `module`, which is at passes/Partition or behind it, has the key; an error names the most similar
/// keys.
llvm::Error checkTask(mlir::ModuleOp module, llvm::StringRef key);

/// Erases everything that is not part of the task with this key: definitions of other tasks before passes/Memory,
/// kernels of others and all of @main behind it.
void keepTask(mlir::ModuleOp module, llvm::StringRef key);

} // namespace cameo

#endif
