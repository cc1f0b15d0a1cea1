// Checks the operands of If and Loop that decide what is executed. ONNX fixes their types, so that no value of another
// type is read as one of them.
#ifndef CAMEO_FRONTEND_IMPORT_GRAPH_CONTROLOPERANDS_H
#define CAMEO_FRONTEND_IMPORT_GRAPH_CONTROLOPERANDS_H

#include "mlir/IR/Location.h"
#include "mlir/IR/Value.h"

namespace cameo {

/// Fails after an error if the value, which the model calls `name`, is not a bool: a tensor with one element, or with
/// dynamic dimensions.
llvm::LogicalResult expectCondition(mlir::Value condition, llvm::StringRef name, mlir::Location loc);

/// Fails after an error if the value is not an int64 in the same sense.
llvm::LogicalResult expectTripCount(mlir::Value tripCount, llvm::StringRef name, mlir::Location loc);

} // namespace cameo

#endif // CAMEO_FRONTEND_IMPORT_GRAPH_CONTROLOPERANDS_H
