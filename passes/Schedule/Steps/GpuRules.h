// What each step for GPUs may do to one nest, beside the file of the step.
#ifndef CAMEO_PASSES_SCHEDULE_STEPS_GPURULES_H
#define CAMEO_PASSES_SCHEDULE_STEPS_GPURULES_H

#include "dialects/Target/GpuMachine.h"
#include "passes/Schedule/Rules/Gpu/GpuSchedule.h"

namespace cameo::schedule {

/// A nest with the schedule to be verified. All rules return what is wrong, or nothing; bound loops are verified first.
struct GpuNestToVerify {
  const LoopNest &nest;
  const NestSchedule &schedule;
  const GpuSchedule &gpuSchedule;
  unsigned rowDims; ///< dimensions that the group of the nest fixes
  bool isAlone;     ///< the nest is all that the kernel runs, and has the grid for itself
  const GpuMachine &gpu;
};

std::string verifyBind(const GpuNestToVerify &of);
std::string verifyCache(const GpuNestToVerify &of);
std::string verifyUnroll(const GpuNestToVerify &of);
std::string verifyGroups(const GpuNestToVerify &of);
std::string verifyTensor(const GpuNestToVerify &of);
std::string verifyGpuPack(const GpuNestToVerify &of);

/// The rules of all steps; what they accept the emission for GPUs emits.
std::string verifyForGpu(const GpuNestToVerify &of);

} // namespace cameo::schedule

#endif
