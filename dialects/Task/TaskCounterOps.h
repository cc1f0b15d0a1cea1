// Counters in the task dialect, apart from TaskDialect.h because only GPU kernels use them.
#ifndef CAMEO_DIALECTS_TASK_TASKCOUNTEROPS_H
#define CAMEO_DIALECTS_TASK_TASKCOUNTEROPS_H

#include "dialects/Task/TaskDialect.h"

#define GET_OP_CLASSES
#include "dialects/Task/TaskCounterOps.h.inc"

namespace cameo::task {

/// On an argument of the planned @main: the memory of all counters.
constexpr llvm::StringLiteral countersName = "task.counters";

} // namespace cameo::task

#endif
