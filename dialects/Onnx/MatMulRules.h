// The shape rule that MatMul, MatMulInteger and QLinearMatMul share. For the .cpp files of this folder.
#ifndef CAMEO_DIALECTS_ONNX_MATMULRULES_H
#define CAMEO_DIALECTS_ONNX_MATMULRULES_H

#include "dialects/Onnx/ShapeRules.h"

namespace cameo::onnx {

/// Returns the dimensions of the product of two operands by NumPy's rules; none if one is unranked. Fails after an
/// error.
mlir::FailureOr<std::optional<DimList>> inferMatMul(mlir::Operation *op, SizeConstraints &sizes, unsigned left,
                                                    unsigned right);

} // namespace cameo::onnx

#endif // CAMEO_DIALECTS_ONNX_MATMULRULES_H
