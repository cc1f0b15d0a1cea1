// The matrix product that float, integer and quantized operators share.
#ifndef CAMEO_PASSES_LOWER_FORMULAS_MATRIXPRODUCT_H
#define CAMEO_PASSES_LOWER_FORMULAS_MATRIXPRODUCT_H

#include "passes/Lower/Builders/GenericBuilder.h"

namespace cameo::lower {

/// Whether the integers of the factors are signed.
struct FactorSigns {
  Sign left = Sign::Signed, right = Sign::Signed;
};

/// Returns the accumulator type for products of such elements: i32 for bytes, otherwise the compute type.
mlir::Type sumTypeOf(mlir::Type element);

/// Returns sum + left * right, computed in the type of `sum`.
mlir::Value multiplyAdd(ScalarBuilder &s, mlir::Value sum, mlir::Value left, mlir::Value right, FactorSigns signs = {});

/// Converts a factor of many products to the accumulator type `sum`: for CPUs once, instead of in each product. The
/// matrix units of a GPU use the factor as it is.
mlir::Value convertFactor(GenericBuilder &b, mlir::Value factor, mlir::Type sum);

/// Multiplies as numpy.matmul, with broadcast batch dimensions. The result has the accumulator type.
mlir::Value multiplyMatrices(GenericBuilder &b, mlir::Value left, mlir::Value right, FactorSigns signs = {});

} // namespace cameo::lower

#endif
