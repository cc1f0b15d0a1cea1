// Divides the dimensions of a nest and of one that reads its result, until both have the same ones in between.
#ifndef CAMEO_PASSES_SCHEDULE_NESTS_ALIKEDIMENSIONS_H
#define CAMEO_PASSES_SCHEDULE_NESTS_ALIKEDIMENSIONS_H

#include "passes/Schedule/Nests/LoopNest.h"

namespace cameo::schedule {

/// Splits dimensions until the address where `writer` stores its first output and the address from which `reader`
/// loads `load` have dimensions of equal extent for equal strides. Returns false if the extents do not divide each
/// other; then nests may have been changed.
bool divideAlike(LoopNest &writer, LoopNest &reader, NodeId load);

} // namespace cameo::schedule

#endif
