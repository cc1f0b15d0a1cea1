// The role of an onnx op in the partition: which ops start a task, which join one, which cost nothing.
#ifndef CAMEO_PASSES_PARTITION_OPROLE_H
#define CAMEO_PASSES_PARTITION_OPROLE_H

#include "dialects/Onnx/DimList.h"

#include "mlir/IR/Operation.h"

namespace cameo::partition {

enum class OpRole {
  Constant,    // onnx.Constant and onnx.None
  View,        // the same elements in the same order under another shape
  Update,      // update of rows of a cache that the caller owns
  Prefix,      // the first elements; their number is computed at run time
  Loop,        // calls another function repeatedly
  Choose,      // one of two values; only the chosen one is computed
  Join,        // a tensor whose parts are already in its buffer
  Elementwise, // each result element depends on the operand elements at the same (or a broadcast) index
  Row,         // reduces or normalises over the innermost axes, and keeps these axes
  Anchor,      // has its own loops, which elementwise ops after it may share
  Transpose,
  Slice, // step 1, begin known
  Pad,   // constant mode, pads known and not negative; or the placement of a part in a larger tensor
  Concat,
  Opaque, // a task of its own
};

OpRole getRole(mlir::Operation *op);

/// Returns the number of innermost axes that a Row op reduces or normalises over, 0 for other ops.
int64_t getRowRank(mlir::Operation *op);

/// Returns the shape of a tensor with symbolic dimensions. It is empty for a scalar and for everything that is not a
/// tensor of known rank.
onnx::DimList getShape(mlir::Value value);
/// Whether the value has one element, or is no tensor at all.
bool isNumber(mlir::Value value);

/// Whether the op is a MatMul, MatMulInteger or Gemm: contractions that read their operands in any permutation of axes.
bool readsAnyPermutation(mlir::Operation *op);

/// Whether the op is a depthwise convolution or a pool in channels-last layout: it computes each channel from a window
/// over that channel alone.
bool keepsChannelsApart(mlir::Operation *op);
/// Whether the op is a 1x1 convolution with strides 1 and one group in channels-last layout.
bool isPointwiseConv(mlir::Operation *op);

/// Whether the op's result does not depend on the order of its operands.
bool isCommutative(mlir::Operation *op);

/// Returns the operator's ONNX name: `Conv` of `onnx.Conv`.
llvm::StringRef getOpType(mlir::Operation *op);

} // namespace cameo::partition

#endif
