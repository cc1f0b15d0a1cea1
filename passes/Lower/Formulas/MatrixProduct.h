// The matrix product shared by real, integer and quantised operators.
#ifndef CAMEO_PASSES_LOWER_FORMULAS_MATRIXPRODUCT_H
#define CAMEO_PASSES_LOWER_FORMULAS_MATRIXPRODUCT_H

#include "passes/Lower/Builders/GenericBuilder.h"

namespace cameo::lower {

/// How the integers of both factors are read.
struct FactorSigns {
  Sign left = Sign::Signed, right = Sign::Signed;
};

/// The type that products of such elements are summed in: i32 for bytes, else their compute type.
mlir::Type sumTypeOf(mlir::Type element);

/// sum + left * right, computed in the type of `sum`.
mlir::Value multiplyAdd(ScalarBuilder &s, mlir::Value sum, mlir::Value left, mlir::Value right, FactorSigns signs = {});

/// A factor of many products, which add up in `sum`. For processors it is converted once, not in each of them; matrix
/// units of a GPU multiply it as it is.
mlir::Value convertFactor(GenericBuilder &b, mlir::Value factor, mlir::Type sum);

/// As numpy.matmul, with broadcast batches, in the type that products of the elements are summed in.
mlir::Value multiplyMatrices(GenericBuilder &b, mlir::Value left, mlir::Value right, FactorSigns signs = {});

} // namespace cameo::lower

#endif
