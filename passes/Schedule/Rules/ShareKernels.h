// Which groups of nests one kernel runs.
#ifndef CAMEO_PASSES_SCHEDULE_RULES_SHAREKERNELS_H
#define CAMEO_PASSES_SCHEDULE_RULES_SHAREKERNELS_H

#include "dialects/Target/Machine.h"
#include "passes/Schedule/Nests/LoopNest.h"

namespace cameo::schedule {

/// How many of `groups`, from the first on, one kernel runs: those whose rows follow one another, or up to 32 nests
/// that do not look at each other, or so many in long loops that do not.
size_t countTogether(llvm::ArrayRef<NestGroup> groups, const Machine &machine);

/// Says of every group of `program`, whose operands are packed, whether it shares the kernel of the one before.
void shareKernels(TaskProgram &program, const Machine &machine);

} // namespace cameo::schedule

#endif
