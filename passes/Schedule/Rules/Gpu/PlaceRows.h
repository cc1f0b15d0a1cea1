// Chooses the memory of row buffers on a GPU.
#ifndef CAMEO_PASSES_SCHEDULE_RULES_GPU_PLACEROWS_H
#define CAMEO_PASSES_SCHEDULE_RULES_GPU_PLACEROWS_H

#include "dialects/Target/GpuMachine.h"
#include "passes/Schedule/Nests/LoopNest.h"

namespace cameo::schedule {

/// Puts the row buffers of a group into shared memory if all of them fit beside the buffers of its reductions, and into
/// the arena otherwise.
void placeRows(TaskProgram &program, const GpuMachine &gpu);

} // namespace cameo::schedule

#endif
