// What the tasks of a model compute and read with the sizes of one run, which a model compiled for any sizes does not
// know.
#ifndef CAMEO_UTILS_DRIVER_INSPECT_COUNTWORK_H
#define CAMEO_UTILS_DRIVER_INSPECT_COUNTWORK_H

#include "utils/Driver/CompileOptions.h"

namespace cameo {

/// Of one execution.
struct TaskWork {
  double flops = 0, bytes = 0;
};

/// By the names of the ONNX nodes of a task, as descriptions of models have them. `options.sizes` have all that the run
/// chooses. Tasks may be formed in another way with known sizes: then some are missing. None after a reported error.
std::optional<llvm::StringMap<TaskWork>> countWork(const CompileOptions &options);

} // namespace cameo

#endif
