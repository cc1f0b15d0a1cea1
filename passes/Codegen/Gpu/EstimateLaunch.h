// Estimates the time that a persistent kernel saves or loses against one launch for each kernel.
#ifndef CAMEO_PASSES_CODEGEN_GPU_ESTIMATELAUNCH_H
#define CAMEO_PASSES_CODEGEN_GPU_ESTIMATELAUNCH_H

#include "dialects/Target/GpuMachine.h"
#include "passes/Codegen/Plan/ModelPlan.h"

namespace cameo {

/// In cycles of the device.
struct LaunchEstimate {
  double saved; ///< by steps that wait for counters instead of a launch
  double lost;  ///< by bodies that have fewer registers and threads of a multiprocessor than kernels of their own
};

/// Returns nothing if the amount of work is known only at run time.
std::optional<LaunchEstimate> estimatePersistent(const ModelPlan &plan, const GpuMachine &gpu);

} // namespace cameo

#endif
