// Reads and creates the small constants that patterns match: factors, epsilons, axes.
#ifndef CAMEO_PASSES_GRAPH_CONSTANTS_SCALARCONSTANT_H
#define CAMEO_PASSES_GRAPH_CONSTANTS_SCALARCONSTANT_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include <optional>

namespace cameo::graph {

/// Returns the value of all elements of a splat constant; nothing for other values.
std::optional<double> getSplatNumber(mlir::Value value);

/// Whether `value` is a splat constant that equals `expected` up to single precision.
bool isSplatOf(mlir::Value value, double expected);

/// Returns constant integers, with negative axes counted from the end of `rank` dimensions. Returns nothing if `axes`
/// is not constant.
std::optional<llvm::SmallVector<int64_t>> getAxes(mlir::Value axes, int64_t rank);

/// Creates a constant of rank 0.
mlir::Value createScalar(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type elementType, double number);

/// Returns the type if it has a static shape, otherwise null.
mlir::RankedTensorType getStaticType(mlir::Value value);

} // namespace cameo::graph

#endif
