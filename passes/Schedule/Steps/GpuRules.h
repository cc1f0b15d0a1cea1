// The rules for each step on a GPU. Their implementations are in the files of the steps.
#ifndef CAMEO_PASSES_SCHEDULE_STEPS_GPURULES_H
#define CAMEO_PASSES_SCHEDULE_STEPS_GPURULES_H

#include "dialects/Target/GpuMachine.h"
#include "passes/Schedule/Rules/Gpu/GpuSchedule.h"

namespace cameo::schedule {

/// A nest with the schedule to be verified. Each rule returns an error message, or an empty string. Loops bound to
/// blocks and threads are verified first.
struct GpuNestToVerify {
  const LoopNest &nest;
  const NestSchedule &schedule;
  const GpuSchedule &gpuSchedule;
  unsigned rowDims; ///< number of row dimensions of the group
  bool isAlone;     ///< the nest is the only one in its kernel and uses the whole grid
  const GpuMachine &gpu;
};

std::string verifyBind(const GpuNestToVerify &of);
std::string verifyCache(const GpuNestToVerify &of);
std::string verifyUnroll(const GpuNestToVerify &of);
std::string verifyGroups(const GpuNestToVerify &of);
std::string verifyTensor(const GpuNestToVerify &of);
std::string verifyGpuPack(const GpuNestToVerify &of);

/// Applies the rules of all steps. The emitters for GPUs support every schedule that passes.
std::string verifyForGpu(const GpuNestToVerify &of);

} // namespace cameo::schedule

#endif
