// The equation of an Einsum, resolved for the ranks of its operands, for shape inference and lowering.
#ifndef CAMEO_DIALECTS_ONNX_EINSUMEQUATION_H
#define CAMEO_DIALECTS_ONNX_EINSUMEQUATION_H

#include "mlir/IR/Operation.h"

namespace cameo::onnx {

/// Each dimension is the number of an index; an ellipsis is one index per dimension that it covers. An index that an
/// operand has twice selects a diagonal; an index that is not in the result is summed over.
struct EinsumEquation {
  llvm::SmallVector<llvm::SmallVector<int64_t>> operands;
  llvm::SmallVector<int64_t> result;
  int64_t indexCount = 0;
  /// Whether the index is part of an ellipsis, whose dimensions broadcast. All dimensions of another index are equal.
  llvm::SmallVector<bool> isEllipsis;
};

/// Parses an equation, explicit or implicit. Fails after an error at the operation.
mlir::FailureOr<EinsumEquation> parseEinsum(mlir::Operation *op, llvm::StringRef equation,
                                            llvm::ArrayRef<int64_t> ranks);

} // namespace cameo::onnx

#endif // CAMEO_DIALECTS_ONNX_EINSUMEQUATION_H
