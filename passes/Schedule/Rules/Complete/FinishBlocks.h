// Chooses how long functions, such as exp, of the results of a register block are computed.
#ifndef CAMEO_PASSES_SCHEDULE_RULES_COMPLETE_FINISHBLOCKS_H
#define CAMEO_PASSES_SCHEDULE_RULES_COMPLETE_FINISHBLOCKS_H

#include "passes/Schedule/Rules/NestSchedule.h"

namespace cameo::schedule {

/// Whether the results of a block may be stored on the stack, as vectors in the order of its points.
bool canFinishInLoop(const LoopNest &nest, const NestSchedule &schedule);

/// Sets for how many points long functions are interleaved, and whether a loop computes them. `schedules` are those of
/// the nests of `program` in the order of its groups. No feature depends on this, so a search skips it: it would visit
/// all nodes of a task for each of thousands of candidates.
void finishBlocks(const TaskProgram &program, llvm::MutableArrayRef<NestSchedule> schedules);

} // namespace cameo::schedule

#endif
