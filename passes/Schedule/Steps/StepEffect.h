// The interface of what steps do, see StepEffect.td.
#ifndef CAMEO_PASSES_SCHEDULE_STEPS_STEPEFFECT_H
#define CAMEO_PASSES_SCHEDULE_STEPS_STEPEFFECT_H

#include "dialects/Schedule/ScheduleDialect.h"
#include "passes/Schedule/Steps/ScheduledProgram.h"

#include "llvm/Support/Error.h"

#include "passes/Schedule/Steps/StepEffect.h.inc"

namespace cameo::schedule {

/// Gives steps of the class `StepTy`, one of the schedule dialect, their effect in `context`. The file of the step
/// defines it; that a step has none is an error of the linker.
template <typename StepTy> void attachEffect(mlir::MLIRContext &context);

} // namespace cameo::schedule

#endif
