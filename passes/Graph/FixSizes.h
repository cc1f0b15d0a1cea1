// Replaces symbolic dimensions by numbers in an imported module.
#ifndef CAMEO_PASSES_GRAPH_FIXSIZES_H
#define CAMEO_PASSES_GRAPH_FIXSIZES_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringMap.h"

namespace cameo {

/// Runs --fix-sizes. After a failure the module is in an undefined state, so callers keep a copy.
llvm::LogicalResult fixSizes(mlir::ModuleOp module, const llvm::StringMap<int64_t> &sizes);

} // namespace cameo

#endif
