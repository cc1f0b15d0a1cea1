// Evaluates ops on constant tensors with the same bytes as result that the op would compute at run time in the same
// precision.
#ifndef CAMEO_PASSES_GRAPH_CONSTANTS_EVALUATECONSTANT_H
#define CAMEO_PASSES_GRAPH_CONSTANTS_EVALUATECONSTANT_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"
#include <optional>
#include <vector>

namespace cameo::graph {

/// A constant operand: its type, and all its elements in row-major order. Bytes are empty for an absent operand.
struct ConstantTensor {
  mlir::RankedTensorType type;
  llvm::ArrayRef<char> bytes;
};

using Bytes = std::vector<char>;

/// Evaluates Transpose, Slice, Expand, Concat, Pad and Gather of elements that are whole bytes. Returns nothing for
/// other ops.
std::optional<Bytes> evaluateMovement(mlir::Operation *op, llvm::ArrayRef<ConstantTensor> operands);

/// Evaluates Cast, arithmetic and DequantizeLinear on floats and integers. Returns nothing for other ops.
std::optional<Bytes> evaluateElementwise(mlir::Operation *op, llvm::ArrayRef<ConstantTensor> operands);

/// Evaluates windows and mel filters as f32 or f64, from constant operands. Returns nothing for other ops.
std::optional<Bytes> evaluateSignal(mlir::Operation *op);

/// Returns the strides of an operand that is broadcast to `shape`: 0 in repeated dimensions.
llvm::SmallVector<int64_t> getBroadcastStrides(llvm::ArrayRef<int64_t> operand, llvm::ArrayRef<int64_t> shape);

} // namespace cameo::graph

#endif
