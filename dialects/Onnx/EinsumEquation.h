// The equation of an Einsum, resolved against the ranks of its operands. For shape inference and for lowering.
#ifndef CAMEO_DIALECTS_ONNX_EINSUMEQUATION_H
#define CAMEO_DIALECTS_ONNX_EINSUMEQUATION_H

#include "mlir/IR/Operation.h"

namespace cameo::onnx {

/// Each dimension is the number of an index; an ellipsis is as many indices as it stands for. An index that an operand
/// has twice is a diagonal; one that the result has not is summed over.
struct EinsumEquation {
  llvm::SmallVector<llvm::SmallVector<int64_t>> operands;
  llvm::SmallVector<int64_t> result;
  int64_t indexCount = 0;
  /// Indices of an ellipsis: their dimensions broadcast; those of letters are equal.
  llvm::SmallVector<bool> isEllipsis;
};

/// Parses an equation, explicit or implicit. Fails after an error at the operation.
mlir::FailureOr<EinsumEquation> parseEinsum(mlir::Operation *op, llvm::StringRef equation,
                                            llvm::ArrayRef<int64_t> ranks);

} // namespace cameo::onnx

#endif // CAMEO_DIALECTS_ONNX_EINSUMEQUATION_H
