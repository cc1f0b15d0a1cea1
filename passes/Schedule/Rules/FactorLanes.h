// Factors that are broadcast in multiply-adds and are contiguous along the reduction: one load takes the factors of
// several steps, and each step uses one of its lanes.
#ifndef CAMEO_PASSES_SCHEDULE_RULES_FACTORLANES_H
#define CAMEO_PASSES_SCHEDULE_RULES_FACTORLANES_H

#include "passes/Schedule/Rules/NestSchedule.h"

namespace cameo::schedule {

/// Whether the processor has an instruction that multiplies a vector by one lane of another.
bool multipliesByLanes(const Machine &machine);

struct FactorLanes {
  unsigned dim;  ///< the reduction dimension
  int64_t steps; ///< steps per load: elements, or groups of bytes
};

/// Returns how `load` is read, or nothing if each step loads its own factor. For processors with multiply-adds by a
/// lane of a register, such as AArch64.
std::optional<FactorLanes> factorLanes(const LoopNest &nest, const NestSchedule &schedule, const Machine &machine,
                                       NodeId load);

} // namespace cameo::schedule

#endif
