// A task while its schedule is applied: what each step changes.
#ifndef CAMEO_PASSES_SCHEDULE_STEPS_SCHEDULEDPROGRAM_H
#define CAMEO_PASSES_SCHEDULE_STEPS_SCHEDULEDPROGRAM_H

#include "dialects/Target/GpuMachine.h"
#include "passes/Schedule/Rules/Gpu/GpuSchedule.h"

namespace cameo::schedule {

/// The nests of a task and what each of them is given. Steps that replace nests come when there are no schedules yet;
/// the others find one for each nest, in the order of the groups.
struct ScheduledProgram {
  TaskProgram program;
  std::vector<NestSchedule> schedules;
  const GpuMachine *gpu = nullptr;       ///< that runs the kernels; null: the processor
  std::vector<GpuSchedule> gpuSchedules; ///< as many as `schedules`
};

/// Nests of all groups.
unsigned countNests(const TaskProgram &program);

/// Nest `number` of `program`, with its group; both null when there are fewer.
struct NumberedNest {
  const NestGroup *group = nullptr;
  const LoopNest *nest = nullptr;
};
NumberedNest findNest(const TaskProgram &program, unsigned number);

} // namespace cameo::schedule

#endif
