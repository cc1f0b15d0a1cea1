// Verifies that schedules fit their nests. The emitters support every schedule that passes.
#ifndef CAMEO_PASSES_SCHEDULE_STEPS_VERIFYSCHEDULE_H
#define CAMEO_PASSES_SCHEDULE_STEPS_VERIFYSCHEDULE_H

#include "passes/Schedule/Rules/NestSchedule.h"

namespace cameo::schedule {

/// Returns an empty string if the schedule fits `machine` and the nest, whose first `rowDims` dimensions are rows of
/// its group; otherwise an error message. Used for attributes and for candidates of a search.
std::string verify(const LoopNest &nest, const NestSchedule &schedule, unsigned rowDims, const Machine &machine);

} // namespace cameo::schedule

#endif
