// The patterns of --decompose-ops, by family.
#ifndef CAMEO_PASSES_GRAPH_DECOMPOSE_DECOMPOSEPATTERNS_H
#define CAMEO_PASSES_GRAPH_DECOMPOSE_DECOMPOSEPATTERNS_H

#include "mlir/IR/PatternMatch.h"

namespace cameo::graph {

void populateDecomposeAttentionPatterns(mlir::RewritePatternSet &patterns);
void populateDecomposeBoundsPatterns(mlir::RewritePatternSet &patterns);
void populateDecomposeConvTransposePatterns(mlir::RewritePatternSet &patterns);
void populateDecomposeCountedPatterns(mlir::RewritePatternSet &patterns);
void populateDecomposeEinsumPatterns(mlir::RewritePatternSet &patterns);
void populateDecomposeGemmPatterns(mlir::RewritePatternSet &patterns);
void populateDecomposeHardmaxPatterns(mlir::RewritePatternSet &patterns);
void populateDecomposePaddingPatterns(mlir::RewritePatternSet &patterns);
void populateDecomposePositionPatterns(mlir::RewritePatternSet &patterns);
void populateDecomposeShapePatterns(mlir::RewritePatternSet &patterns);
void populateDecomposeTransformPatterns(mlir::RewritePatternSet &patterns);
void populateDecomposeUnpoolPatterns(mlir::RewritePatternSet &patterns);
void populateDecomposeWindowPatterns(mlir::RewritePatternSet &patterns);

} // namespace cameo::graph

#endif
