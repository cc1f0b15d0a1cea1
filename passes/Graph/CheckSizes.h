// Whether every size of a model follows from its inputs.
#ifndef CAMEO_PASSES_GRAPH_CHECKSIZES_H
#define CAMEO_PASSES_GRAPH_CHECKSIZES_H

#include "mlir/IR/BuiltinOps.h"

namespace cameo {

/// What --check-sizes does, for a caller without a pass manager.
llvm::LogicalResult checkSizes(mlir::ModuleOp module);

} // namespace cameo

#endif
