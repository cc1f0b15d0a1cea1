// Decides which nests may run at the same time: borders and the plane they surround, parts of a concatenation, tiles of
// a stage.
#ifndef CAMEO_PASSES_SCHEDULE_NESTS_INDEPENDENTNESTS_H
#define CAMEO_PASSES_SCHEDULE_NESTS_INDEPENDENTNESTS_H

#include "passes/Schedule/Nests/LoopNest.h"

namespace cameo::schedule {

/// Whether the elements at `address` of `nest` and those at `otherAddress` of `other` are disjoint over all points.
/// Conservative: false if it cannot be proved.
bool areApart(const LoopNest &nest, const LinearForm &address, const LoopNest &other, const LinearForm &otherAddress);

/// Whether neither nest accesses an element that the other one writes. Conservative: false if it cannot be proved.
bool areIndependent(const LoopNest &first, const LoopNest &second);

/// Whether all nests of `first` are independent of all nests of `second`.
bool areIndependent(const NestGroup &first, const NestGroup &second);

/// Whether `group` is a loop with ordered rows whose work takes at least `shareCycles` cycles, so that it is worth a
/// thread.
bool isLongLoop(const NestGroup &group, double shareCycles);

/// Whether `group` is a single nest whose own loops form the parallel range of its kernel.
bool isAlone(const NestGroup &group);

} // namespace cameo::schedule

#endif
