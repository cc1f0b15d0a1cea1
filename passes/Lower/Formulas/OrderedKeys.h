// Combines an element and its index in one integer key, so that the comparison of two candidates reads nothing else.
#ifndef CAMEO_PASSES_LOWER_FORMULAS_ORDEREDKEYS_H
#define CAMEO_PASSES_LOWER_FORMULAS_ORDEREDKEYS_H

#include "passes/Lower/Builders/ScalarBuilder.h"

namespace cameo::lower {

/// Keys have the index type: the upper 32 bits are the element, the lower ones its index. The greater key belongs to
/// the better element, or to the first of equal ones. NaN is the greatest float, and all NaNs are equal.
struct OrderedKeys {
  /// Whether the greater elements are the better ones.
  bool prefersGreater;
  Sign sign;

  /// Whether elements of this type fit into a key.
  static bool hold(mlir::Type element);
  mlir::Value keyOf(ScalarBuilder &s, mlir::Value element, mlir::Value place) const;
  static mlir::Value placeOf(ScalarBuilder &s, mlir::Value key);
};

} // namespace cameo::lower

#endif
