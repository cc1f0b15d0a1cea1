// The patterns of --raise-patterns, by kind.
#ifndef CAMEO_PASSES_GRAPH_SIMPLIFY_RAISEPATTERNS_H
#define CAMEO_PASSES_GRAPH_SIMPLIFY_RAISEPATTERNS_H

#include "mlir/IR/PatternMatch.h"

namespace cameo::graph {

void populateRaiseActivationPatterns(mlir::RewritePatternSet &patterns);
void populateRaiseNormalizationPatterns(mlir::RewritePatternSet &patterns);

/// A product written as a tree of Mul and Div by numbers: number * factors[0] * factors[1] * ...
struct Product {
  double number = 1.0;
  llvm::SmallVector<mlir::Value> factors;
};

/// Returns the factors of the product that computes `value`. Inner results with other users are not split.
Product getProduct(mlir::Value value);

} // namespace cameo::graph

#endif
