// The matrix product shared by real, integer and quantised operators.
#ifndef CAMEO_PASSES_LOWER_MATRIXPRODUCT_H
#define CAMEO_PASSES_LOWER_MATRIXPRODUCT_H

#include "passes/Lower/GenericBuilder.h"

namespace cameo::lower {

/// As numpy.matmul, with broadcast batches, in the compute type of the operands.
mlir::Value multiplyMatrices(GenericBuilder &b, mlir::Value left, mlir::Value right);

} // namespace cameo::lower

#endif
