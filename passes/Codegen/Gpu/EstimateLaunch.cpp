#include "passes/Codegen/Gpu/EstimateLaunch.h"

namespace cameo {

/// A launch behind another one, as the model of tiles has it (an H200); and a wait for counters, which is the release
/// of one block, the look of another one, and two barriers: assumed, as no device has timed it.
static constexpr double launchCycles = 4000, waitCycles = 2000;
/// What the registers of the largest body and the threads of the widest one leave idle while the others run: assumed.
static constexpr double lostShare = 0.25;
/// Of a multiprocessor in a cycle: multiplications and additions of float32, and bytes of the device's memory.
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
