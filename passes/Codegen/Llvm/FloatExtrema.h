// Expands float maximum and minimum on processors whose instructions do not propagate NaN.
#ifndef CAMEO_PASSES_CODEGEN_LLVM_FLOATEXTREMA_H
#define CAMEO_PASSES_CODEGEN_LLVM_FLOATEXTREMA_H

#include "mlir/IR/PatternMatch.h"

namespace cameo {

/// Adds patterns for `arith.maximumf`, `arith.minimumf`, and `vector.reduction` of these kinds. If both operands are
/// zeros of different sign, the result is either of them.
void populateFloatExtremumPatterns(mlir::RewritePatternSet &patterns);

} // namespace cameo

#endif
