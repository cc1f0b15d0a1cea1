// Whether a compiled model is as small as it must be.
#ifndef CAMEO_UTILS_DRIVER_BUDGETS_CHECKBUDGETS_H
#define CAMEO_UTILS_DRIVER_BUDGETS_CHECKBUDGETS_H

#include "utils/Driver/Inspect/ModelSize.h"

namespace cameo {

/// Reports every budget that `size` exceeds, each with what takes the most; fails if there is one. `model` is the file.
llvm::LogicalResult checkBudgets(const Budgets &budgets, const ModelSize &size, llvm::StringRef model);

} // namespace cameo

#endif
