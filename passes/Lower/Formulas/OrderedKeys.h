// Elements and their places as one integer, which orders both: a comparison of two candidates reads nothing else.
#ifndef CAMEO_PASSES_LOWER_FORMULAS_ORDEREDKEYS_H
#define CAMEO_PASSES_LOWER_FORMULAS_ORDEREDKEYS_H

#include "passes/Lower/Builders/ScalarBuilder.h"

namespace cameo::lower {

/// Keys are of the index type: above, 32 bits of the element, below those of its place. The greater of two is that of
/// the better element, or of equal ones that of the first. Of floats NaN is the greatest one, all of them the same.
struct OrderedKeys {
  /// Whether the greater elements are the better ones.
  bool prefersGreater;
  Sign sign;

  /// Whether there is room for an element of this type.
  static bool hold(mlir::Type element);
  mlir::Value keyOf(ScalarBuilder &s, mlir::Value element, mlir::Value place) const;
  static mlir::Value placeOf(ScalarBuilder &s, mlir::Value key);
};

} // namespace cameo::lower

#endif
