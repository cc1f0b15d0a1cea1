// The plain way from linalg to kernels: the reference that everything else is compared with, and the fallback.
#ifndef CAMEO_PASSES_SCHEDULE_EMITNAIVE_H
#define CAMEO_PASSES_SCHEDULE_EMITNAIVE_H

#include "dialects/Task/TaskDialect.h"

namespace cameo::schedule {

/// What bufferisation has to know of other dialects; to be registered before emitNaive runs.
void registerNaiveEmission(mlir::DialectRegistry &registry);

/// Brings a task of linalg, tensor and scf operations into buffer form with one kernel of extent 1. Fails after an error at
/// the operation that cannot be emitted; the task is then unchanged.
llvm::LogicalResult emitNaive(task::DefOp def);

} // namespace cameo::schedule

#endif
