// How long functions of a register block's results are computed.
#ifndef CAMEO_PASSES_SCHEDULE_RULES_COMPLETE_FINISHBLOCKS_H
#define CAMEO_PASSES_SCHEDULE_RULES_COMPLETE_FINISHBLOCKS_H

#include "passes/Schedule/Rules/NestSchedule.h"

namespace cameo::schedule {

/// Whether the results of a block may lie on the stack, as vectors in the order of its points.
bool canFinishInLoop(const LoopNest &nest, const NestSchedule &schedule);

/// Says of how many points long functions are computed side by side, and whether a loop does it, `schedules` being
/// those of the nests of `program` in the order of its groups. No feature tells: a search, which would look through all
/// nodes of a task for each of thousands of candidates, leaves it out.
void finishBlocks(const TaskProgram &program, llvm::MutableArrayRef<NestSchedule> schedules);

} // namespace cameo::schedule

#endif
