// The steps of DynamicQuantizeLinear, which the numbers of a tensor decide: 256 from the least to the greatest one.
#ifndef CAMEO_PASSES_LOWER_FORMULAS_BYTESTEPS_H
#define CAMEO_PASSES_LOWER_FORMULAS_BYTESTEPS_H

#include "passes/Lower/Builders/GenericBuilder.h"

namespace cameo::lower {

/// Tensors of f32 with one element. The range always includes 0, so that 0 is represented exactly.
struct ByteSteps {
  mlir::Value least; ///< the least number, at most 0
  mlir::Value scale; ///< the width of a step; 1 if all numbers are 0
};

/// Returns the steps for all elements of a tensor of f32.
ByteSteps findByteSteps(GenericBuilder &b, mlir::Value x);

/// Rounds each number of a tensor of f32 to a step.
mlir::Value roundToByteSteps(GenericBuilder &b, mlir::Value x);

} // namespace cameo::lower

#endif
