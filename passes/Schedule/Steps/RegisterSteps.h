// Effects for the steps of the schedule dialect.
#ifndef CAMEO_PASSES_SCHEDULE_STEPS_REGISTERSTEPS_H
#define CAMEO_PASSES_SCHEDULE_STEPS_REGISTERSTEPS_H

#include "mlir/IR/DialectRegistry.h"

namespace cameo::schedule {

/// Contexts that load the schedule dialect from `registry` find the effects of its steps. Adds the dialect, too.
void registerSteps(mlir::DialectRegistry &registry);

/// Loads the dialect with the effects of its steps, where it is not there yet. Not while passes run.
void loadSteps(mlir::MLIRContext &context);

} // namespace cameo::schedule

#endif
