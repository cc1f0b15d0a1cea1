// Factors that a multiply-add has in all lanes, where they lie side by side along the reduction: a load takes those of
// several steps, and each step one of its lanes.
#ifndef CAMEO_PASSES_SCHEDULE_RULES_FACTORLANES_H
#define CAMEO_PASSES_SCHEDULE_RULES_FACTORLANES_H

#include "passes/Schedule/Rules/NestSchedule.h"

namespace cameo::schedule {

/// Whether the processor multiplies a vector by one lane of another.
bool multipliesByLanes(const Machine &machine);

struct FactorLanes {
  unsigned dim;  ///< the reduction
  int64_t steps; ///< that a load has factors of: numbers, or groups of bytes
};

/// How `load` is read; nothing: one step at a time. For processors whose multiply-adds take a lane of a register, as
/// those of AArch64 do.
std::optional<FactorLanes> factorLanes(const LoopNest &nest, const NestSchedule &schedule, const Machine &machine,
                                       NodeId load);

} // namespace cameo::schedule

#endif
