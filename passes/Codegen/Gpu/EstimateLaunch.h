// What a run as one persistent kernel is estimated to win or to lose against a launch for each kernel.
#ifndef CAMEO_PASSES_CODEGEN_GPU_ESTIMATELAUNCH_H
#define CAMEO_PASSES_CODEGEN_GPU_ESTIMATELAUNCH_H

#include "dialects/Target/GpuMachine.h"
#include "passes/Codegen/Plan/ModelPlan.h"

namespace cameo {

/// Cycles of the device.
struct LaunchEstimate {
  double saved; ///< by steps that wait for counters in place of a launch
  double lost;  ///< by bodies that have less of a multiprocessor than kernels of their own
};

/// Nothing where it is known only at run time how much there is to do.
std::optional<LaunchEstimate> estimatePersistent(const ModelPlan &plan, const GpuMachine &gpu);

} // namespace cameo

#endif
