// Checks that every size of a model follows from the sizes of its inputs.
#ifndef CAMEO_PASSES_GRAPH_CHECKSIZES_H
#define CAMEO_PASSES_GRAPH_CHECKSIZES_H

#include "mlir/IR/BuiltinOps.h"

namespace cameo {

/// Runs --check-sizes for a caller without a pass manager. Fails after an error.
llvm::LogicalResult checkSizes(mlir::ModuleOp module);

} // namespace cameo

#endif
