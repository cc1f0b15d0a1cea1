// Estimates the work of a task: scalar operations, and the bytes of its operands and results.
#ifndef CAMEO_PASSES_PARTITION_TASKCOST_H
#define CAMEO_PASSES_PARTITION_TASKCOST_H

#include "mlir/IR/Operation.h"

namespace cameo::partition {

/// Scalar operations of one onnx op (a dynamic dimension counts as 64 elements); a multiply-add
/// counts twice, a transcendental function as one.
double countFlops(mlir::Operation *op);

/// Bytes of a tensor as stored: booleans take a byte, elements below a byte are rounded up to one.
double countBytes(mlir::Type type);

/// Returns the bytes that a task reads of the argument `input` of its body: of a table that is only gathered from, as
/// many as are gathered.
double countReadBytes(mlir::Value input);

/// Returns the bytes that a task stores for its result `output`: for a task.place only those of the part.
double countStoredBytes(mlir::Value output);

} // namespace cameo::partition

#endif
