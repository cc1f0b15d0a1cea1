// Orders elements as integers, and combines an element and its index in one key where there is room, so that the
// comparison of two candidates reads nothing else.
#ifndef CAMEO_PASSES_LOWER_FORMULAS_ORDEREDKEYS_H
#define CAMEO_PASSES_LOWER_FORMULAS_ORDEREDKEYS_H

#include "passes/Lower/Builders/ScalarBuilder.h"

namespace cameo::lower {

/// The greater integer belongs to the better element. NaN is the greatest float, and all NaNs are equal. Keys have the
/// index type: the upper 32 bits are the element, the lower ones its index, and of equal elements the first one has the
/// greater key.
struct OrderedKeys {
  /// Whether the greater elements are the better ones.
  bool prefersGreater;
  Sign sign;

  /// Whether elements of this type fit into a key.
  static bool hold(mlir::Type element);
  /// Returns a signed integer, of 32 bits if these hold the element, otherwise of 64.
  mlir::Value orderOf(ScalarBuilder &s, mlir::Value element) const;
  static mlir::Value keyOf(ScalarBuilder &s, mlir::Value order, mlir::Value place);
  static mlir::Value placeOf(ScalarBuilder &s, mlir::Value key);
};

} // namespace cameo::lower

#endif
