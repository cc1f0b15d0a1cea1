// Lists the places that a condition takes, for operators that go on with few of many elements (NonMaxSuppression,
// TopK).
#ifndef CAMEO_PASSES_LOWER_FORMULAS_COLLECTPLACES_H
#define CAMEO_PASSES_LOWER_FORMULAS_COLLECTPLACES_H

#include "passes/Lower/Builders/LoopBuilder.h"

namespace cameo::lower {

/// What a function makes of a place: an index.
using OfPlace = llvm::function_ref<mlir::Value(ScalarBuilder &, mlir::Value place)>;

/// Writes an entry for each place below `count` that is taken into `list`, a tensor of i64 with room for all places,
/// behind the `size` entries that it has. Returns the list, in the order of the places, and the number of its entries.
Values collectPlaces(ScalarBuilder &s, mlir::Value count, mlir::Value list, mlir::Value size, OfPlace isTaken,
                     OfPlace entryOf);

} // namespace cameo::lower

#endif
