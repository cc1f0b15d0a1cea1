// Where a GPU keeps what passes between the nests of a row.
#ifndef CAMEO_PASSES_SCHEDULE_RULES_GPU_PLACEROWS_H
#define CAMEO_PASSES_SCHEDULE_RULES_GPU_PLACEROWS_H

#include "dialects/Target/GpuMachine.h"
#include "passes/Schedule/Nests/LoopNest.h"

namespace cameo::schedule {

/// Buffers of rows lie in shared memory where all those of their group fit beside what its reductions need, and in the
/// arena otherwise.
void placeRows(TaskProgram &program, const GpuMachine &gpu);

} // namespace cameo::schedule

#endif
