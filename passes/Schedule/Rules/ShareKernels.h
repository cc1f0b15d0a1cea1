// Chooses the groups of nests that share a kernel.
#ifndef CAMEO_PASSES_SCHEDULE_RULES_SHAREKERNELS_H
#define CAMEO_PASSES_SCHEDULE_RULES_SHAREKERNELS_H

#include "dialects/Target/Machine.h"
#include "passes/Schedule/Nests/LoopNest.h"

namespace cameo::schedule {

/// Returns the number of leading `groups` that one kernel runs: groups whose rows continue each other, or independent
/// groups with up to 32 nests in total, either all single nests or all long loops.
size_t countTogether(llvm::ArrayRef<NestGroup> groups, const Machine &machine);

/// Sets for every group of `program`, whose operands are packed, whether it shares the kernel of the previous group.
void shareKernels(TaskProgram &program, const Machine &machine);

} // namespace cameo::schedule

#endif
