// Measures the tasks of a compiled model.
#ifndef CAMEO_UTILS_CAMEO_BENCH_PROFILETASKS_H
#define CAMEO_UTILS_CAMEO_BENCH_PROFILETASKS_H

#include "utils/cameo/Bench/BenchReport.h"

namespace cameo {

/// Measures the machine's peaks, and then `runs` runs of the model after a warm-up. Inputs must be bound. The work of
/// tasks with dynamic sizes stays unknown.
llvm::Expected<TaskProfile> profileTasks(const ModelLibrary &library, ModelRunner &runner, int64_t runs);

} // namespace cameo

#endif
