// Chooses whether row buffers are on the stack of a kernel or in the arena.
#ifndef CAMEO_PASSES_SCHEDULE_RULES_PLACEROWS_H
#define CAMEO_PASSES_SCHEDULE_RULES_PLACEROWS_H

#include "passes/Schedule/Nests/LoopNest.h"

namespace cameo::schedule {

/// Sets the space of every row buffer. Requires that kernels are known (ShareKernels.h). Row buffers are on the stack
/// if all those of one kernel fit there, else in the arena; dynamic sizes are always in the arena.
void placeRows(TaskProgram &program);

} // namespace cameo::schedule

#endif
