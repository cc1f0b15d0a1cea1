// Sums of few points in parts that run beside each other, where one running sum would wait for itself.
#ifndef CAMEO_PASSES_SCHEDULE_RULES_OVERLAPSUMS_H
#define CAMEO_PASSES_SCHEDULE_RULES_OVERLAPSUMS_H

#include "passes/Schedule/Rules/NestSchedule.h"

namespace cameo::schedule {

/// Gives `schedule`, which fits `nest` with `rowDims` outer dimensions that loops of a group run through, partial
/// results for its innermost loop over the reductions where the points of its register block are so few that each step
/// would wait for the one before at least as long again as it computes. Parts have a few steps: a processor that runs
/// instructions out of order begins the next ones meanwhile. Only of what one operation combines, with at most
/// `mostTerms` parts of a sum of floats (BlockedSummation.h).
void overlapSums(const LoopNest &nest, unsigned rowDims, const Machine &machine, NestSchedule &schedule);

} // namespace cameo::schedule

#endif
