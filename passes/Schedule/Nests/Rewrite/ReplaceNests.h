// Applies the steps of a schedule that come before all others: each replaces nests of a task by other nests.
#ifndef CAMEO_PASSES_SCHEDULE_NESTS_REWRITE_REPLACENESTS_H
#define CAMEO_PASSES_SCHEDULE_NESTS_REWRITE_REPLACENESTS_H

#include "passes/Schedule/Nests/Rewrite/FlattenDimensions.h"
#include "passes/Schedule/Nests/Rewrite/FuseNests.h"
#include "passes/Schedule/Nests/Rewrite/InlineNest.h"
#include "passes/Schedule/Nests/Rewrite/RewriteWinograd.h"

#include <variant>

namespace cameo::schedule {

using Replacement = std::variant<WinogradStep, FuseStep, FlattenStep, InlineStep>;

/// Applies `steps`, in any order; each names other nests. The error names the step that does not fit the program.
llvm::Error replaceNests(llvm::ArrayRef<Replacement> steps, TaskProgram &program);

} // namespace cameo::schedule

#endif
