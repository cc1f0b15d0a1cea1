// Computes limits for tasks during tuning, so that the model meets its budgets.
#ifndef CAMEO_UTILS_DRIVER_TUNE_LIMITTASKS_H
#define CAMEO_UTILS_DRIVER_TUNE_LIMITTASKS_H

#include "passes/Schedule/Rules/TaskLimits.h"
#include "utils/Driver/CompileOptions.h"

#include "llvm/ADT/StringMap.h"

namespace cameo {

/// Returns limits for each task of the model, by its name, such that the model meets the budgets of `options` with any
/// schedules within them. Returns nothing after a reported error, also if the schedules of the rules exceed the
/// budgets.
std::optional<llvm::StringMap<schedule::TaskLimits>> findTaskLimits(const CompileOptions &options);

} // namespace cameo

#endif
