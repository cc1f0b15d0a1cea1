// Checks the types of values at the border of a body: what decides how often it runs, what it takes and makes, and what
// it carries. ONNX fixes them, so that no value is read as one of another type.
#ifndef CAMEO_FRONTEND_IMPORT_GRAPH_CONTROLOPERANDS_H
#define CAMEO_FRONTEND_IMPORT_GRAPH_CONTROLOPERANDS_H

#include "mlir/IR/Location.h"
#include "mlir/IR/Value.h"
#include "mlir/Support/LLVM.h"

namespace onnx {
class GraphProto;
class ValueInfoProto;
} // namespace onnx

namespace cameo {

/// Fails after an error if the value, which the model calls `name`, is not a bool: a tensor with one element, or with
/// dynamic dimensions.
llvm::LogicalResult expectCondition(mlir::Value condition, llvm::StringRef name, mlir::Location loc);

/// Fails after an error if the value is not an int64 in the same sense.
llvm::LogicalResult expectTripCount(mlir::Value tripCount, llvm::StringRef name, mlir::Location loc);

/// Fails after an error if the body states another element type than the value has that it takes or makes. Sizes are
/// not compared, because exporters state those of an example.
llvm::LogicalResult expectStatedElement(const ::onnx::ValueInfoProto &stated, mlir::Value value, mlir::Location loc);

/// Fails after an error if `body` makes a value of another element type than it takes. Both are the values that a loop
/// carries, the made ones the outputs of the body from `firstOutput` on.
llvm::LogicalResult expectCarried(const ::onnx::GraphProto &body, int firstOutput, mlir::ValueRange taken,
                                  mlir::ValueRange made, mlir::Location loc);

} // namespace cameo

#endif // CAMEO_FRONTEND_IMPORT_GRAPH_CONTROLOPERANDS_H
