// What an onnx op means to the partition: which ops start a task, which join one, which cost nothing.
#ifndef CAMEO_PASSES_PARTITION_OPROLE_H
#define CAMEO_PASSES_PARTITION_OPROLE_H

#include "dialects/Onnx/DimList.h"

#include "mlir/IR/Operation.h"

namespace cameo::partition {

enum class OpRole {
  Constant,    // onnx.Constant and onnx.None
  View,        // the same elements in the same order under another shape
  Update,      // rows of a cache of the caller
  Prefix,      // the first elements, as many as the run has counted
  Loop,        // runs another function again and again
  Choose,      // one of two values, of which only that is computed
  Join,        // parts that lie in one tensor already
  Elementwise, // one result element from the elements at the same (or a broadcast) place
  Row,         // reduces or normalises over the innermost axes, and keeps them
  Anchor,      // computes something that elementwise ops may follow in the same loops
  Transpose,
  Slice, // step 1, begin known
  Pad,   // constant mode, pads known and not negative; or a place in a larger tensor
  Concat,
  Opaque, // a task of its own
};

OpRole getRole(mlir::Operation *op);

/// How many innermost axes a Row op works on.
int64_t getRowRank(mlir::Operation *op);

/// Shape of a tensor, names included; empty for everything else, so that only rank 0 needs a second look.
onnx::DimList getShape(mlir::Value value);
/// Whether the value has one element, or is no tensor at all.
bool isNumber(mlir::Value value);

/// True for MatMul, Gemm: contractions that read their operands through any permutation.
bool readsAnyPermutation(mlir::Operation *op);

/// True if the op looks at neighbouring pixels of each channel alone, the channels innermost in memory: depthwise
/// convolutions, pools.
bool keepsChannelsApart(mlir::Operation *op);
/// True for convolutions that look at one pixel at a time, all channels of it, in the same layout.
bool isPointwiseConv(mlir::Operation *op);

/// True if the op's result does not depend on the order of its operands.
bool isCommutative(mlir::Operation *op);

/// The operator's ONNX name: `Conv` of `onnx.Conv`.
llvm::StringRef getOpType(mlir::Operation *op);

} // namespace cameo::partition

#endif
