// Checks a compiled model against its size budgets.
#ifndef CAMEO_UTILS_DRIVER_BUDGETS_CHECKBUDGETS_H
#define CAMEO_UTILS_DRIVER_BUDGETS_CHECKBUDGETS_H

#include "utils/Driver/Inspect/ModelSize.h"

namespace cameo {

/// Reports every budget that `size` exceeds, with the largest contributors; fails if there is one. `model` is the file.
llvm::LogicalResult checkBudgets(const Budgets &budgets, const ModelSize &size, llvm::StringRef model);

} // namespace cameo

#endif
