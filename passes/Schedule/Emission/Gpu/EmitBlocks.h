// Emits the kernels of a task for a GPU according to its schedules, and converts the task to buffer form.
#ifndef CAMEO_PASSES_SCHEDULE_EMISSION_GPU_EMITBLOCKS_H
#define CAMEO_PASSES_SCHEDULE_EMISSION_GPU_EMITBLOCKS_H

#include "dialects/Task/TaskDialect.h"
#include "passes/Schedule/Rules/Gpu/GpuSchedule.h"
#include "passes/Schedule/Rules/Operands/PackOperands.h"

namespace cameo::schedule {

/// The schedules of all nests of a program, in the order of its groups.
struct BlockSchedules {
  llvm::ArrayRef<NestSchedule> loops;
  llvm::ArrayRef<GpuSchedule> threads;
};

/// Emits `program`, one kernel per group of nests. The points of a single nest are divided among blocks: each block has
/// one tile, or as many points as threads. A group of rows has one block for each parallel row, which runs ordered rows
/// one after the other. Nests of a group with rows, or of a group of several nests, run in order with barriers between
/// them. `packings` has the packed layouts of constant arguments. With `dependentLaunch`, kernels that fetch constants
/// first wait for earlier launches behind that; the others leave the wait to convert-blocks. Tiles that share a launch
/// have at most `mostSharedBytes`. Without `clusters`, blocks that are to be a cluster divide sums as others do.
void emitBlocks(task::DefOp def, const TaskProgram &program, BlockSchedules schedules,
                const std::map<unsigned, ConstantPacking> &packings, bool dependentLaunch, bool clusters,
                int64_t mostSharedBytes);

} // namespace cameo::schedule

#endif
