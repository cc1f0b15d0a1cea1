// Writes the kernels of a task for a GPU, where one thread computes one point, and leaves the task in buffer form.
#ifndef CAMEO_PASSES_SCHEDULE_EMISSION_GPU_EMITBLOCKS_H
#define CAMEO_PASSES_SCHEDULE_EMISSION_GPU_EMITBLOCKS_H

#include "dialects/Task/TaskDialect.h"
#include "passes/Schedule/Nests/LoopNest.h"

namespace cameo::schedule {

/// Emits `program`, one kernel per group of nests. The points of a nest alone are divided among the threads of all blocks, or have a block each where they
/// are few and their reductions long. A group of rows has a block for each of the
/// rows that threads may share, and runs those in order one after the other; its nests, as those of a group without rows, follow each other behind barriers.
void emitBlocks(task::DefOp def, const TaskProgram &program);

} // namespace cameo::schedule

#endif
