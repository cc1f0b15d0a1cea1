// How long a task takes by the model of the processor alone, where nothing is measured.
#ifndef CAMEO_UTILS_DRIVER_INSPECT_ESTIMATETASK_H
#define CAMEO_UTILS_DRIVER_INSPECT_ESTIMATETASK_H

#include "dialects/Target/Machine.h"
#include "dialects/Task/TaskDialect.h"

#include <optional>

namespace cameo {

/// The cycles of one call of a task in loop form, whose sizes are known, under the schedule that it has; none without
/// one. Thread-safe.
std::optional<double> estimateTask(task::DefOp def, const Machine &machine, int threads);

} // namespace cameo

#endif
