// Applies the rules of the steps for GPUs, and rejects steps that GPUs do not support.
#include "passes/Schedule/Steps/GpuRules.h"

#include "llvm/Support/FormatVariadic.h"

namespace cameo::schedule {

/// The limit of lanes: vector loads and stores of a thread have at most 16 bytes.
constexpr unsigned mostGpuLanes = 16;

static std::string verifyLanes(const GpuNestToVerify &of) {
  const NestSchedule &schedule = of.schedule;
  if (!schedule.vectorDim)
    return "";
  if (*schedule.vectorDim < of.rowDims || *schedule.vectorDim >= of.nest.dims.size() ||
      of.nest.dims[*schedule.vectorDim].reduction)
    return llvm::formatv("expected a parallel dimension for vectors, got {0}", *schedule.vectorDim);
  const Size &extent = of.nest.dims[*schedule.vectorDim].extent;
  if (schedule.lanes > mostGpuLanes || !extent.isKnown() || int64_t(extent) % schedule.lanes != 0)
    return llvm::formatv("expected at most {0} lanes that divide dimension {1}, got {2}", mostGpuLanes,
                         *schedule.vectorDim, schedule.lanes);
  return "";
}

std::string verifyForGpu(const GpuNestToVerify &of) {
  const NestSchedule &schedule = of.schedule;
  if (schedule.partialLoop || schedule.parallelLoops > 0)
    return "expected no steps for CPUs only: parallel, rfactor";
  for (auto rule : {verifyLanes, verifyBind, verifyTensor, verifyCache, verifyUnroll, verifyGroups, verifyGpuPack})
    if (std::string wrong = rule(of); !wrong.empty())
      return wrong;
  return "";
}

} // namespace cameo::schedule
