// What rules add to the schedules of a task whatever its steps say: the last decisions about loops. The emission only
// obeys, and features see what is emitted.
#ifndef CAMEO_PASSES_SCHEDULE_RULES_COMPLETE_COMPLETESCHEDULES_H
#define CAMEO_PASSES_SCHEDULE_RULES_COMPLETE_COMPLETESCHEDULES_H

#include "passes/Schedule/Rules/NestSchedule.h"

namespace cameo::schedule {

/// Completes `schedules`, one for each nest of `program` in the order of its groups, which verify for `machine`;
/// operands are not packed yet. Long sums are taken in parts (BlockedSummation.h), pieces of two sizes count as their
/// work (BalancePieces.h), rows that run in order change direction, and what the next row reads is fetched beside this
/// one. Completed schedules stay as they are. How blocks are finished follows (FinishBlocks.h).
void completeSchedules(const TaskProgram &program, llvm::MutableArrayRef<NestSchedule> schedules,
                       const Machine &machine);

/// What of it is said of a nest alone: all, for one that is no part of rows.
void completeSchedule(const LoopNest &nest, NestSchedule &schedule);

} // namespace cameo::schedule

#endif
