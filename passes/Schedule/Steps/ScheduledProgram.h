// The state of a task while the steps of its schedule are applied.
#ifndef CAMEO_PASSES_SCHEDULE_STEPS_SCHEDULEDPROGRAM_H
#define CAMEO_PASSES_SCHEDULE_STEPS_SCHEDULEDPROGRAM_H

#include "dialects/Target/GpuMachine.h"
#include "passes/Schedule/Rules/Gpu/GpuSchedule.h"

namespace cameo::schedule {

/// The nests of a task and their schedules. `schedules` is empty while steps replace nests; other steps need one for
/// each nest, in the order of the groups.
struct ScheduledProgram {
  TaskProgram program;
  std::vector<NestSchedule> schedules;
  const GpuMachine *gpu = nullptr;       ///< the GPU that runs the kernels; null: the CPU
  std::vector<GpuSchedule> gpuSchedules; ///< as many as `schedules`
};

/// Returns the number of nests in all groups.
unsigned countNests(const TaskProgram &program);

/// Nest number `number` of `program` with its group; both are null if there are fewer nests.
struct NumberedNest {
  const NestGroup *group = nullptr;
  const LoopNest *nest = nullptr;
};
NumberedNest findNest(const TaskProgram &program, unsigned number);

} // namespace cameo::schedule

#endif
