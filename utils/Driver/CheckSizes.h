// Whether every size of a model follows from its inputs.
#ifndef CAMEO_UTILS_DRIVER_CHECKSIZES_H
#define CAMEO_UTILS_DRIVER_CHECKSIZES_H

#include "mlir/IR/BuiltinOps.h"

namespace cameo {

/// Fails with an error per input and per node that brings in a size which is known neither now nor when a run begins, and which no node finds. Takes a
/// module between passes/Graph and passes/Partition.
llvm::LogicalResult checkSizes(mlir::ModuleOp module);

} // namespace cameo

#endif
