// Estimates the time of a task with the model of the processor, without measuring.
#ifndef CAMEO_UTILS_DRIVER_INSPECT_ESTIMATETASK_H
#define CAMEO_UTILS_DRIVER_INSPECT_ESTIMATETASK_H

#include "dialects/Target/Machine.h"
#include "dialects/Task/TaskDialect.h"

#include <optional>

namespace cameo {

/// Returns the cycles of one call of a task in loop form, with static sizes, under its schedule; nothing if it has no
/// schedule. Thread-safe.
std::optional<double> estimateTask(task::DefOp def, const Machine &machine, int threads);

} // namespace cameo

#endif
