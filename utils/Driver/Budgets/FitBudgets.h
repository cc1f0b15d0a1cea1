// Schedules that keep the budgets of arena and weights where rules can give up speed for memory.
#ifndef CAMEO_UTILS_DRIVER_BUDGETS_FITBUDGETS_H
#define CAMEO_UTILS_DRIVER_BUDGETS_FITBUDGETS_H

#include "passes/Schedule/Rules/TaskLimits.h"
#include "utils/Driver/Budgets/MemoryUse.h"
#include "utils/Driver/CompileOptions.h"
#include "utils/Driver/PhaseRunner.h"

namespace cameo {

/// Runs all phases up to Phase::Emit for each target, and the last two again with tighter limits as long as the model
/// exceeds `budgets` and gets smaller. Each target keeps the budget of the arena by itself, all together that of the
/// weights that they share. Whether they do at the end is the caller's to check. None after a reported error. With a
/// budget of text, `phases` keeps the modules before the schedules. `isVerbose`: what was given up is reported.
std::optional<std::vector<MemoryUse>> scheduleWithin(const Budgets &budgets, PhaseRunner &phases, bool isVerbose);

/// What each task of the model, which `phases` has imported for one target, may take of arena and weights, by its name,
/// so that `budgets` are kept whichever schedules within these limits its tasks have. None after a reported error:
/// rules must be able to keep the budgets, too. With a budget of text, `phases` keeps the module before the schedules.
std::optional<llvm::StringMap<schedule::TaskLimits>> findMemoryLimits(const Budgets &budgets, PhaseRunner &phases,
                                                                      llvm::StringRef model);

} // namespace cameo

#endif
