// Whether schedules fit nests: what is verified here, the emission emits.
#ifndef CAMEO_PASSES_SCHEDULE_STEPS_VERIFYSCHEDULE_H
#define CAMEO_PASSES_SCHEDULE_STEPS_VERIFYSCHEDULE_H

#include "passes/Schedule/Rules/NestSchedule.h"

namespace cameo::schedule {

/// Empty when the schedule fits the nest, whose first `rowDims` dimensions are fixed by its group, and `machine`;
/// otherwise what is wrong with it. Of attributes and of the states of a search alike.
std::string verify(const LoopNest &nest, const NestSchedule &schedule, unsigned rowDims, const Machine &machine);

} // namespace cameo::schedule

#endif
