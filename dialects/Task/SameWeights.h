// Compares the bytes of two constants in memory, each in its layout.
#ifndef CAMEO_DIALECTS_TASK_SAMEWEIGHTS_H
#define CAMEO_DIALECTS_TASK_SAMEWEIGHTS_H

#include "dialects/Task/TaskDialect.h"

namespace cameo::task {

/// Returns the same layout with the fewest loops, outer loops first: blocks of 4 and blocks of 8 are the same layout if
/// there is a single block. Null stays null.
PackingAttr simplifyPacking(PackingAttr packing);

struct Weight {
  mlir::ElementsAttr constant;
  PackingAttr packing; ///< simplified; may be null
  int64_t bytes;       ///< in memory
};

/// Returns a hash of the size, the layout, and the first and last bytes of the constant. Most weights differ in these,
/// so that few are compared completely.
uint64_t hashSample(const Weight &weight);

/// Whether the bytes in memory are equal. May return false for equal bytes if the layouts have their loops in different
/// orders.
bool isSame(const Weight &a, const Weight &b);

} // namespace cameo::task

#endif
