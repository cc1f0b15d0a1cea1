// Chooses what vectors run along: a dimension of results, or steps of a product that leaves many lanes empty.
#ifndef CAMEO_PASSES_SCHEDULE_RULES_CHOOSEVECTORS_H
#define CAMEO_PASSES_SCHEDULE_RULES_CHOOSEVECTORS_H

#include "passes/Schedule/Rules/DefaultSchedule.h"

namespace cameo::schedule {

/// Sets the vectors of `schedule`, the groups of bytes, and the operands that must be packed for them.
void chooseVectors(const TaskProgram &program, const LoopNest &nest, unsigned rowDims, const Machine &machine,
                   NestSchedule &schedule);

/// Returns the cycles of the register blocks of `nest`, a reduction in a group of its own, with the vectors of `start`.
double registerBlockCycles(const TaskProgram &program, const LoopNest &nest, const Machine &machine,
                           const NestSchedule &start);

} // namespace cameo::schedule

#endif
