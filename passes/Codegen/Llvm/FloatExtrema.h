// The larger and the smaller of two floats on processors that have no instruction for it that passes NaN on.
#ifndef CAMEO_PASSES_CODEGEN_LLVM_FLOATEXTREMA_H
#define CAMEO_PASSES_CODEGEN_LLVM_FLOATEXTREMA_H

#include "mlir/IR/PatternMatch.h"

namespace cameo {

/// Patterns for `arith.maximumf` and `arith.minimumf`, whose result for zeros of both signs is either of them, and for
/// `vector.reduction` of these kinds.
void populateFloatExtremumPatterns(mlir::RewritePatternSet &patterns);

} // namespace cameo

#endif
