// Expands float maximum and minimum on processors whose instructions do not propagate NaN.
#ifndef CAMEO_PASSES_CODEGEN_LLVM_FLOATEXTREMA_H
#define CAMEO_PASSES_CODEGEN_LLVM_FLOATEXTREMA_H

#include "mlir/IR/PatternMatch.h"

namespace cameo {

/// Makes operations on vectors of each `vector.reduction` of the kinds maximumf and minimumf in `module`. LLVM's own
/// expansion orders zeros by sign at each step.
void expandFloatReductions(mlir::Operation *module);

/// Removes the flag `nnan` of all maxima and minima of `module`, for instructions that pass NaN on: to LLVM it is a
/// promise.
void passNaNOn(mlir::Operation *module);

/// Adds patterns for `arith.maximumf` and `arith.minimumf`. If both operands are zeros of different sign, the result is
/// either of them. With the flag `nnan` a NaN in the second operand is left out.
void populateFloatExtremumPatterns(mlir::RewritePatternSet &patterns);

} // namespace cameo

#endif
