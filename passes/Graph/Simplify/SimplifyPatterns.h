// The patterns of --simplify-graph, by kind.
#ifndef CAMEO_PASSES_GRAPH_SIMPLIFY_SIMPLIFYPATTERNS_H
#define CAMEO_PASSES_GRAPH_SIMPLIFY_SIMPLIFYPATTERNS_H

#include "mlir/IR/PatternMatch.h"

namespace cameo::graph {

void populateSimplifyArithmeticPatterns(mlir::RewritePatternSet &patterns);
void populateSimplifyMovementPatterns(mlir::RewritePatternSet &patterns);

} // namespace cameo::graph

#endif
