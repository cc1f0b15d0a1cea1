// Rewrites a function by patterns until none matches.
#ifndef CAMEO_PASSES_GRAPH_APPLYPATTERNS_H
#define CAMEO_PASSES_GRAPH_APPLYPATTERNS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/PatternMatch.h"

namespace cameo::graph {

/// Rewrites operations whose tensors are all ranked; the others cause an error later, when sizes are checked. Fails
/// after an error if the patterns do not converge.
mlir::LogicalResult applyPatterns(mlir::func::FuncOp function, mlir::RewritePatternSet &&patterns);

} // namespace cameo::graph

#endif
