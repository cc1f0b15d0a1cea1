// All that a picture of a compiled model shows: tasks, how they depend on each other, and the arena over a run.
#ifndef CAMEO_UTILS_DRIVER_INSPECT_MODELPICTURE_H
#define CAMEO_UTILS_DRIVER_INSPECT_MODELPICTURE_H

#include "utils/Driver/Budgets/MemoryUse.h"
#include "utils/Driver/Inspect/InspectModel.h"

namespace cameo {

struct ModelPicture {
  std::string target;             // "triple, CPU"
  double flopsPerCycle = 0;       // of one core, on float32
  double bytesPerCycle = 0;       // what a core reads from beyond its own caches
  std::vector<TaskSummary> tasks; // with schedules
  MemoryUse memory;               // its steps call them by name
};

/// Compiles `options.model` up to loops, and generates no code. None after a reported error.
std::optional<ModelPicture> pictureModel(const CompileOptions &options);

} // namespace cameo

#endif
