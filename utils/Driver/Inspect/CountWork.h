// Counts the operations and bytes of the tasks of a model for the sizes of one run, which are unknown in a model with
// dynamic sizes.
#ifndef CAMEO_UTILS_DRIVER_INSPECT_COUNTWORK_H
#define CAMEO_UTILS_DRIVER_INSPECT_COUNTWORK_H

#include "utils/Driver/CompileOptions.h"

namespace cameo {

/// The work of one execution of a task.
struct TaskWork {
  double flops = 0, bytes = 0;
};

/// Returns the work of each task, by the names of its ONNX nodes as in descriptions of models. `options.sizes` must
/// hold all sizes of the run. With static sizes tasks may be partitioned differently; some are then missing. Returns
/// nothing after a reported error.
std::optional<llvm::StringMap<TaskWork>> countWork(const CompileOptions &options);

} // namespace cameo

#endif
