// Estimates the cost of a nest without a schedule, for rules that compare ways to divide work.
#ifndef CAMEO_PASSES_SCHEDULE_RULES_NESTCOST_H
#define CAMEO_PASSES_SCHEDULE_RULES_NESTCOST_H

#include "passes/Schedule/Rules/DefaultSchedule.h"

namespace cameo::schedule {

/// The number of instructions of an exponential or a similar function.
inline constexpr int64_t longFunctionInstructions = 20;

/// Returns the number of different elements that the points of `nest` along the dimensions in `along` (bit d: dimension
/// d) access at `address`. Overlapping windows count once, because repeated reads hit a nearer cache.
double elementsAt(const LoopNest &nest, const LinearForm &address, uint64_t along = ~uint64_t(0));

/// Returns the cycles of one core for the arithmetic of `nest`, assuming perfect vectorisation.
double arithmeticCycles(const LoopNest &nest, const Machine &machine);

/// Returns the cycles of one core for `nest` of `program`: the larger of arithmetic and memory traffic. Constants are
/// read from memory, activations from the second-level cache.
double cyclesOf(const TaskProgram &program, const LoopNest &nest, const Machine &machine);

} // namespace cameo::schedule

#endif
