// A schedule in one short line, for profiles.
#ifndef CAMEO_PASSES_SCHEDULE_RULES_DESCRIBESCHEDULE_H
#define CAMEO_PASSES_SCHEDULE_RULES_DESCRIBESCHEDULE_H

#include "dialects/Schedule/ScheduleDialect.h"
#include "passes/Schedule/Rules/NestSchedule.h"

namespace cameo::schedule {

/// What the nest with the most work does, such as "16 pieces; d1/14 d3/32, sum d0 d2/4; 16 lanes of d3; packed, fetched ahead": how
/// many pieces threads can share, the loops as dimension/size, parallel ones first, those over reductions behind "sum",
/// lanes, operands laid out anew. In front the Winograd steps, and the number of nests when there are several. `steps` are those of
/// `schedules`, one per nest of `program`.
std::string describe(const TaskProgram &program, llvm::ArrayRef<NestSchedule> schedules, StepsAttr steps);

} // namespace cameo::schedule

#endif
