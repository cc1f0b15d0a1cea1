// The data for a picture of a compiled model: tasks, their dependences, and the use of the arena during a run.
#ifndef CAMEO_UTILS_DRIVER_INSPECT_MODELPICTURE_H
#define CAMEO_UTILS_DRIVER_INSPECT_MODELPICTURE_H

#include "utils/Driver/Budgets/MemoryUse.h"
#include "utils/Driver/Inspect/InspectModel.h"

namespace cameo {

struct ModelPicture {
  std::string target;             // "triple, CPU"
  double flopsPerCycle = 0;       // of one core, on float32
  double bytesPerCycle = 0;       // bandwidth of one core from outside its private caches
  std::vector<TaskSummary> tasks; // with schedules
  MemoryUse memory;               // its steps refer to tasks by name
};

/// Compiles `options.model` up to loops, without code generation. Returns nothing after a reported error.
std::optional<ModelPicture> pictureModel(const CompileOptions &options);

} // namespace cameo

#endif
