// Finds schedules with less code if the code and constants of a model exceed their budget.
#ifndef CAMEO_UTILS_DRIVER_BUDGETS_FITTEXT_H
#define CAMEO_UTILS_DRIVER_BUDGETS_FITTEXT_H

#include "utils/Driver/Inspect/ModelSize.h"
#include "utils/Driver/PhaseRunner.h"

namespace cameo {

/// Reduces the register blocks of tasks until the text of the model, which is `size` at first, is at most `budget`
/// bytes. Tasks that lose the fewest cycles per byte on any of the processors come first, and no more are changed than
/// needed. If this is not enough, all tasks that get smaller are changed. `phases` must keep the modules before the
/// schedules. `generate` generates the code of the current schedules and measures it; it returns nothing after a
/// reported error. With `isVerbose`, the reductions are reported.
llvm::LogicalResult fitText(int64_t budget, const ModelSize &size, PhaseRunner &phases,
                            llvm::function_ref<std::optional<ModelSize>()> generate, bool isVerbose);

} // namespace cameo

#endif
