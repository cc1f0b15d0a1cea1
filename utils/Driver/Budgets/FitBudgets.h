// Finds schedules within the budgets of arena and weights, where rules can trade speed for memory.
#ifndef CAMEO_UTILS_DRIVER_BUDGETS_FITBUDGETS_H
#define CAMEO_UTILS_DRIVER_BUDGETS_FITBUDGETS_H

#include "passes/Schedule/Rules/TaskLimits.h"
#include "utils/Driver/Budgets/MemoryUse.h"
#include "utils/Driver/CompileOptions.h"
#include "utils/Driver/PhaseRunner.h"

namespace cameo {

/// Runs all phases up to Phase::Emit for each target, and repeats the last two with tighter limits as long as the model
/// exceeds `budgets` and gets smaller. The budget of the arena holds for each target, that of the weights for all
/// targets together, which share them. The caller checks whether the budgets are met in the end. Returns nothing after
/// a reported error. With a budget of text, `phases` keeps the modules before the schedules. With `isVerbose`, the
/// reductions are reported.
std::optional<std::vector<MemoryUse>> scheduleWithin(const Budgets &budgets, PhaseRunner &phases, bool isVerbose);

/// Returns limits of arena and weights for each task, by its name, such that the model meets `budgets` with any
/// schedules within these limits. `phases` must have imported the model for one target. Returns nothing after a
/// reported error, also if the schedules of the rules exceed the budgets. With a budget of text, `phases` keeps the
/// module before the schedules.
std::optional<llvm::StringMap<schedule::TaskLimits>> findMemoryLimits(const Budgets &budgets, PhaseRunner &phases,
                                                                      llvm::StringRef model);

} // namespace cameo

#endif
