#include "passes/Codegen/Gpu/EstimateLaunch.h"

namespace cameo {

/// `launchCycles` is the cost of a launch that follows another one, as in the cost model of tiles (an H200).
/// `waitCycles` is the cost of a wait for counters, which is a release by one block, an acquire by another one, and two
/// barriers. It is assumed and was not measured on a device.
static constexpr double launchCycles = 4000, waitCycles = 2000;
/// Share of a multiprocessor that is idle while smaller bodies run, because registers and threads are allocated for the
/// largest body. Assumed.
static constexpr double lostShare = 0.25;
/// Per multiprocessor and cycle: float32 operations (an FMA counts as two), and bytes of device memory.
static constexpr double flopsPerCycle = 256, bytesPerCycle = 12;

std::optional<LaunchEstimate> estimatePersistent(const ModelPlan &plan, const GpuMachine &gpu) {
  std::optional<double> work = plan.addUpTasks([&](const PlannedTask &task) {
    return std::max(task.flops / flopsPerCycle, task.bytes / bytesPerCycle) / static_cast<double>(gpu.processors);
  });
  if (!work)
    return std::nullopt;
  return LaunchEstimate{static_cast<double>(plan.steps.size()) * (launchCycles - waitCycles), *work * lostShare};
}

} // namespace cameo
