// Whether two constants, each laid out in its way, are the same bytes in memory.
#ifndef CAMEO_DIALECTS_TASK_SAMEWEIGHTS_H
#define CAMEO_DIALECTS_TASK_SAMEWEIGHTS_H

#include "dialects/Task/TaskDialect.h"

namespace cameo::task {

/// The same layout with the fewest loops, the outer ones first: packing in blocks of 4 and of 8 is one where there is a
/// single block of them. Null stays null.
PackingAttr simplifyPacking(PackingAttr packing);

struct Weight {
  mlir::ElementsAttr constant;
  PackingAttr packing; ///< simplified; may be null
  int64_t bytes;       ///< in memory
};

/// Of sizes, layout, and the first and last bytes of the constant: most weights differ in these, so that comparing them
/// all costs next to nothing.
uint64_t hashSample(const Weight &weight);

/// May miss some that are laid out by loops of another order.
bool isSame(const Weight &a, const Weight &b);

} // namespace cameo::task

#endif
