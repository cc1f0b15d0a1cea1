// Translates schedules that were made for another numbering of a task's nests.
#ifndef CAMEO_PASSES_SCHEDULE_STEPS_MAPSTEPS_H
#define CAMEO_PASSES_SCHEDULE_STEPS_MAPSTEPS_H

#include "passes/Schedule/Steps/ScheduleSteps.h"

namespace cameo::schedule {

/// Translates `steps`, which were made for nests with the digests `made`, to the numbers of the same nests in
/// `program`. The loops stay the same. The error names the nests that `program` does not have.
llvm::Expected<StepsAttr> mapSteps(StepsAttr steps, llvm::ArrayRef<std::string> made, const TaskProgram &program,
                                   const Machine &machine, const GpuMachine *gpu = nullptr);

} // namespace cameo::schedule

#endif
