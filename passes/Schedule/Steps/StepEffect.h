// The interface for the effects of steps, see StepEffect.td.
#ifndef CAMEO_PASSES_SCHEDULE_STEPS_STEPEFFECT_H
#define CAMEO_PASSES_SCHEDULE_STEPS_STEPEFFECT_H

#include "dialects/Schedule/ScheduleDialect.h"
#include "passes/Schedule/Steps/ScheduledProgram.h"

#include "llvm/Support/Error.h"

#include "passes/Schedule/Steps/StepEffect.h.inc"

namespace cameo::schedule {

/// Attaches the effect of steps of class `StepTy` to the dialect in `context`. The file of the step defines it, so a
/// step without effect is a linker error.
template <typename StepTy> void attachEffect(mlir::MLIRContext &context);

} // namespace cameo::schedule

#endif
