// What tasks may take while they are tuned, so that their model keeps its budgets.
#ifndef CAMEO_UTILS_DRIVER_TUNE_LIMITTASKS_H
#define CAMEO_UTILS_DRIVER_TUNE_LIMITTASKS_H

#include "passes/Schedule/Rules/TaskLimits.h"
#include "utils/Driver/CompileOptions.h"

#include "llvm/ADT/StringMap.h"

namespace cameo {

/// What each task of the model may take, by its name, so that it keeps the budgets of `options` whichever schedules
/// within these limits its tasks have. None after a reported error: rules must be able to keep the budgets, too.
std::optional<llvm::StringMap<schedule::TaskLimits>> findTaskLimits(const CompileOptions &options);

} // namespace cameo

#endif
