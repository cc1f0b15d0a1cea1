// Schedules of other builds of a task's nests.
#ifndef CAMEO_PASSES_SCHEDULE_STEPS_MAPSTEPS_H
#define CAMEO_PASSES_SCHEDULE_STEPS_MAPSTEPS_H

#include "passes/Schedule/Steps/ScheduleSteps.h"

namespace cameo::schedule {

/// `steps`, which were made for nests with the digests `made`, for the nests of `program`: the same nests in another
/// order, by their numbers here. So the loops are the same, too. An error says what of them is not here.
llvm::Expected<StepsAttr> mapSteps(StepsAttr steps, llvm::ArrayRef<std::string> made, const TaskProgram &program,
                                   const Machine &machine, const GpuMachine *gpu = nullptr);

} // namespace cameo::schedule

#endif
