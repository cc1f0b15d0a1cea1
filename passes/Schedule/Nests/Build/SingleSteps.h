// Reductions of a single step, such as a mean over a dimension of one element or a product with one inner element.
#ifndef CAMEO_PASSES_SCHEDULE_NESTS_BUILD_SINGLESTEPS_H
#define CAMEO_PASSES_SCHEDULE_NESTS_BUILD_SINGLESTEPS_H

#include "passes/Schedule/Nests/LoopNest.h"

namespace cameo::schedule {

/// Makes a nest elementwise whose reductions have no dimension, unless its step computes what several points share.
void takeSingleSteps(LoopNest &nest);

} // namespace cameo::schedule

#endif
