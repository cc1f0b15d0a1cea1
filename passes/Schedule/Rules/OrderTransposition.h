// The order of the loops of a transposition.
#ifndef CAMEO_PASSES_SCHEDULE_RULES_ORDERTRANSPOSITION_H
#define CAMEO_PASSES_SCHEDULE_RULES_ORDERTRANSPOSITION_H

#include "passes/Schedule/Rules/NestSchedule.h"

namespace cameo::schedule {

/// Reorders the loops of `schedule`, except the last one, over vectors, so that the fewest cache lines are fetched
/// again. Rows that a loop reads and writes need not be whole lines: another loop, which continues them, finds them in
/// a cache if little lies between. The loops over the first `rowDims` dimensions belong to the nest's group.
void orderTransposition(const LoopNest &nest, unsigned rowDims, const Machine &machine, NestSchedule &schedule);

} // namespace cameo::schedule

#endif
