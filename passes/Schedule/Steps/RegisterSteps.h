// Registers the effects of the steps of the schedule dialect.
#ifndef CAMEO_PASSES_SCHEDULE_STEPS_REGISTERSTEPS_H
#define CAMEO_PASSES_SCHEDULE_STEPS_REGISTERSTEPS_H

#include "mlir/IR/DialectRegistry.h"

namespace cameo::schedule {

/// Adds the schedule dialect to `registry`, with the effects of its steps in every context that loads it.
void registerSteps(mlir::DialectRegistry &registry);

/// Loads the dialect with the effects of its steps unless it is loaded. Must not be called while passes run.
void loadSteps(mlir::MLIRContext &context);

} // namespace cameo::schedule

#endif
