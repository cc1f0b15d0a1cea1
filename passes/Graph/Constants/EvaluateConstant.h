// Evaluation of ops on constant tensors, byte for byte what the op would compute at run time in the same precision.
#ifndef CAMEO_PASSES_GRAPH_CONSTANTS_EVALUATECONSTANT_H
#define CAMEO_PASSES_GRAPH_CONSTANTS_EVALUATECONSTANT_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"
#include <optional>
#include <vector>

namespace cameo::graph {

/// A constant operand: its type and all its elements, row-major. Bytes are empty for an absent operand.
struct ConstantTensor {
  mlir::RankedTensorType type;
  llvm::ArrayRef<char> bytes;
};

using Bytes = std::vector<char>;

/// Transpose, Slice, Expand, Concat, Gather of anything whose elements are whole bytes.
std::optional<Bytes> evaluateMovement(mlir::Operation *op, llvm::ArrayRef<ConstantTensor> operands);

/// Cast, arithmetic and DequantizeLinear on floats and integers.
std::optional<Bytes> evaluateElementwise(mlir::Operation *op, llvm::ArrayRef<ConstantTensor> operands);

/// Strides of an operand seen through broadcasting to `shape`: 0 where it repeats.
llvm::SmallVector<int64_t> getBroadcastStrides(llvm::ArrayRef<int64_t> operand, llvm::ArrayRef<int64_t> shape);

} // namespace cameo::graph

#endif
