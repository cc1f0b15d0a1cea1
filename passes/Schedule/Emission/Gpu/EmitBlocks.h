// Writes the kernels of a task for a GPU as its schedules say, and leaves the task in buffer form.
#ifndef CAMEO_PASSES_SCHEDULE_EMISSION_GPU_EMITBLOCKS_H
#define CAMEO_PASSES_SCHEDULE_EMISSION_GPU_EMITBLOCKS_H

#include "dialects/Task/TaskDialect.h"
#include "passes/Schedule/Rules/Gpu/GpuSchedule.h"
#include "passes/Schedule/Rules/PackOperands.h"

namespace cameo::schedule {

/// The schedules of all nests of a program, in the order of its groups.
struct BlockSchedules {
  llvm::ArrayRef<NestSchedule> loops;
  llvm::ArrayRef<GpuSchedule> threads;
};

/// Emits `program`, one kernel per group of nests. The points of a nest alone are divided among the blocks, which have
/// tiles of them, one each, or as many as threads. A group of rows has a block for each of the rows that threads may
/// share, and runs those in order one after the other; its nests, as those of a group without rows, follow each other
/// behind barriers. `packings` are the layouts in which constant arguments are read.
void emitBlocks(task::DefOp def, const TaskProgram &program, BlockSchedules schedules,
                const std::map<unsigned, ConstantPacking> &packings);

} // namespace cameo::schedule

#endif
