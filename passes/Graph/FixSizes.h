// Numbers for names of dimensions, in a module that is imported already.
#ifndef CAMEO_PASSES_GRAPH_FIXSIZES_H
#define CAMEO_PASSES_GRAPH_FIXSIZES_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringMap.h"

namespace cameo {

/// What --fix-sizes does, for a caller that keeps a copy: after a failure the module is not to be used.
llvm::LogicalResult fixSizes(mlir::ModuleOp module, const llvm::StringMap<int64_t> &sizes);

} // namespace cameo

#endif
