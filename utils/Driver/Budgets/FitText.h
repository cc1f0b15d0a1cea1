// Schedules of less code, where the code and constants of a model exceed their budget.
#ifndef CAMEO_UTILS_DRIVER_BUDGETS_FITTEXT_H
#define CAMEO_UTILS_DRIVER_BUDGETS_FITTEXT_H

#include "utils/Driver/Inspect/ModelSize.h"
#include "utils/Driver/PhaseRunner.h"

namespace cameo {

/// Gives tasks register blocks of fewer registers until the text of the model, which `size` has measured, is at most
/// `budget` bytes: those first that lose the fewest cycles for a byte, whichever processor they are for, and no others.
/// Where that is not enough, all do that get smaller. `phases` keeps the modules before the schedules. `generate` makes
/// the code of the schedules that `phases` has run, and measures it; none after a reported error. `isVerbose`: what was
/// given up is reported.
llvm::LogicalResult fitText(int64_t budget, const ModelSize &size, PhaseRunner &phases,
                            llvm::function_ref<std::optional<ModelSize>()> generate, bool isVerbose);

} // namespace cameo

#endif
