// Measures the tasks of a compiled model.
#ifndef CAMEO_UTILS_CAMEO_BENCH_PROFILETASKS_H
#define CAMEO_UTILS_CAMEO_BENCH_PROFILETASKS_H

#include "utils/cameo/Bench/BenchReport.h"

namespace cameo {

/// Runs the model, whose inputs are bound, `runs` times after one run that does not count, and the machine's peaks
/// before. Work of tasks whose sizes a run chooses stays unknown.
llvm::Expected<TaskProfile> profileTasks(const ModelLibrary &library, ModelRunner &runner, int64_t runs);

} // namespace cameo

#endif
