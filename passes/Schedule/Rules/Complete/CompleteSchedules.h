// Completes the schedules of a task with decisions that no step expresses. They are made before emission, so that
// feature extraction sees what is emitted.
#ifndef CAMEO_PASSES_SCHEDULE_RULES_COMPLETE_COMPLETESCHEDULES_H
#define CAMEO_PASSES_SCHEDULE_RULES_COMPLETE_COMPLETESCHEDULES_H

#include "passes/Schedule/Rules/NestSchedule.h"

namespace cameo::schedule {

/// Completes `schedules`, one for each nest of `program` in the order of its groups. They must be valid for `machine`,
/// and operands must not be packed yet. Sets blocked summation (BlockedSummation.h), whether steps
/// are combined first (OverlapSums.h), weights of pieces (BalancePieces.h), alternating directions of ordered rows, and
/// prefetches of the next row. Idempotent. FinishBlocks.h sets the rest.
void completeSchedules(const TaskProgram &program, llvm::MutableArrayRef<NestSchedule> schedules,
                       const Machine &machine);

/// Completes the schedule of a single nest, whose first `rowDims` dimensions belong to loops of the group; this is
/// everything for a nest outside of a group of rows.
void completeSchedule(const LoopNest &nest, unsigned rowDims, NestSchedule &schedule, const Machine &machine);

} // namespace cameo::schedule

#endif
