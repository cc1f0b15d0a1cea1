// Where rows lie that pass between the nests of a group: on the stack of a kernel or in the arena.
#ifndef CAMEO_PASSES_SCHEDULE_RULES_PLACEROWS_H
#define CAMEO_PASSES_SCHEDULE_RULES_PLACEROWS_H

#include "passes/Schedule/Nests/LoopNest.h"

namespace cameo::schedule {

/// Says of every temporary of which each row has its own where it lies, once kernels are known (ShareKernels.h): on the
/// stack, where all of one kernel fit there, else in the arena, as is what has a dynamic size.
void placeRows(TaskProgram &program);

} // namespace cameo::schedule

#endif
