// Sequences of maps, as ZipMap computes them: a matrix whose columns have keys. A single map, as in inputs, is a
// vector.
#ifndef CAMEO_FRONTEND_IMPORT_INPUTS_MAPSEQUENCE_H
#define CAMEO_FRONTEND_IMPORT_INPUTS_MAPSEQUENCE_H

#include "mlir/IR/Builders.h"

#include <optional>

namespace cameo {

/// Maps with the same keys.
struct MapSequence {
  mlir::Value values; ///< a row per map, a column per key; for a single map a vector
  mlir::Attribute
      keys; ///< distinct and ascending: DenseI64ArrayAttr, or ArrayAttr of StringAttr, which are in the order of their
            ///< bytes. Empty for a single one whose values are in the ascending order of whatever keys it has
};

/// Whether this is a map, not a sequence of maps.
bool isSingle(const MapSequence &maps);

/// Wraps the maps in one value of a function type from keys to values, so that it can be bound to a name. Operators do
/// not accept it.
mlir::Value makeMapSequence(mlir::OpBuilder &builder, mlir::Location loc, const MapSequence &maps);

/// Returns nothing for other values.
std::optional<MapSequence> getMapSequence(mlir::Value value);

} // namespace cameo

#endif // CAMEO_FRONTEND_IMPORT_INPUTS_MAPSEQUENCE_H
