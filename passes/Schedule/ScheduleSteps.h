// Schedules between their two forms: the attribute that the IR and records hold, and the loops that the emitter walks.
#ifndef CAMEO_PASSES_SCHEDULE_SCHEDULESTEPS_H
#define CAMEO_PASSES_SCHEDULE_SCHEDULESTEPS_H

#include "dialects/Schedule/ScheduleDialect.h"
#include "passes/Schedule/NestSchedule.h"

#include "llvm/Support/Error.h"

namespace cameo::schedule {

/// One schedule per nest of the program, in order, as an attribute.
StepsAttr toSteps(mlir::MLIRContext *context, llvm::ArrayRef<NestSchedule> schedules);

/// The schedules of all nests of `program`; an error says which step does not fit it.
llvm::Expected<std::vector<NestSchedule>> fromSteps(StepsAttr steps, const TaskProgram &program);

} // namespace cameo::schedule

#endif
