// Which nests may run at the same time: borders beside the plane they surround, parts of a concatenation, tiles of a
// stage.
#ifndef CAMEO_PASSES_SCHEDULE_NESTS_INDEPENDENTNESTS_H
#define CAMEO_PASSES_SCHEDULE_NESTS_INDEPENDENTNESTS_H

#include "passes/Schedule/Nests/LoopNest.h"

namespace cameo::schedule {

/// Whether no element is at `address` of `nest` and at `otherAddress` of `other`, whatever the points. May say no where
/// that is hard to see.
bool areApart(const LoopNest &nest, const LinearForm &address, const LoopNest &other, const LinearForm &otherAddress);

/// Whether neither of two nests touches an element that the other writes. May say no where that is hard to see.
bool areIndependent(const LoopNest &first, const LoopNest &second);

/// The same of all nests of two groups.
bool areIndependent(const NestGroup &first, const NestGroup &second);

/// Whether `group` is a loop whose rows run in order and are so many cycles of work that threads may share them.
bool isLongLoop(const NestGroup &group, double shareCycles);

/// Whether `group` is one nest whose own loops make the range of its kernel.
bool isAlone(const NestGroup &group);

} // namespace cameo::schedule

#endif
