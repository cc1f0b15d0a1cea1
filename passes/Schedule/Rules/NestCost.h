// What a nest costs before it has a schedule: for rules that weigh one way to divide work against another.
#ifndef CAMEO_PASSES_SCHEDULE_RULES_NESTCOST_H
#define CAMEO_PASSES_SCHEDULE_RULES_NESTCOST_H

#include "passes/Schedule/Rules/DefaultSchedule.h"

namespace cameo::schedule {

/// Different elements that the points of `nest` along the dimensions of `along` (bit d: dimension d) touch at
/// `address`: windows overlap, and what is read again is in a nearer cache.
double elementsAt(const LoopNest &nest, const LinearForm &address, uint64_t along = ~uint64_t(0));

/// Cycles of one core for what `nest` computes, all dimensions vectorised.
double arithmeticCycles(const LoopNest &nest, const Machine &machine);

/// Cycles of one core for `nest` of `program`: what it computes, or reads and writes where that takes longer. Constants
/// come from memory, activations from the second-level cache.
double cyclesOf(const TaskProgram &program, const LoopNest &nest, const Machine &machine);

} // namespace cameo::schedule

#endif
