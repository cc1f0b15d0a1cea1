// Reading and making the small constants that patterns look for: factors, epsilons, axes.
#ifndef CAMEO_PASSES_GRAPH_CONSTANTS_SCALARCONSTANT_H
#define CAMEO_PASSES_GRAPH_CONSTANTS_SCALARCONSTANT_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include <optional>

namespace cameo::graph {

/// The number that all elements of a constant have; nothing if the value is no constant or its elements differ.
std::optional<double> getSplatNumber(mlir::Value value);

/// True if `value` is such a constant and equals `expected` as far as single precision can tell.
bool isSplatOf(mlir::Value value, double expected);

/// Constant integers, with negative axes counted from the end of `rank` dimensions.
std::optional<llvm::SmallVector<int64_t>> getAxes(mlir::Value axes, int64_t rank);

/// A constant of rank 0.
mlir::Value createScalar(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type elementType, double number);

/// The type with every size known, or null.
mlir::RankedTensorType getStaticType(mlir::Value value);

} // namespace cameo::graph

#endif
