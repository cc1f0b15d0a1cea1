// Rewriting a function by patterns until none applies.
#ifndef CAMEO_PASSES_GRAPH_APPLYPATTERNS_H
#define CAMEO_PASSES_GRAPH_APPLYPATTERNS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/PatternMatch.h"

namespace cameo::graph {

/// Only operations whose tensors all have a rank are rewritten: those of the others end in an error later, when sizes
/// are checked. Fails after an error when the patterns find no end.
mlir::LogicalResult applyPatterns(mlir::func::FuncOp function, mlir::RewritePatternSet &&patterns);

} // namespace cameo::graph

#endif
