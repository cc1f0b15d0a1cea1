// The schedules that rules give the nests of a task on a GPU.
#ifndef CAMEO_PASSES_SCHEDULE_RULES_GPU_DEFAULTGPUSCHEDULE_H
#define CAMEO_PASSES_SCHEDULE_RULES_GPU_DEFAULTGPUSCHEDULE_H

#include "dialects/Target/GpuMachine.h"
#include "passes/Schedule/Rules/Gpu/GpuSchedule.h"

namespace cameo::schedule {

/// What one nest is given.
struct ThreadSchedule {
  NestSchedule loops;
  GpuSchedule threads;
};

/// Whether threads or blocks may take the steps of the reductions of `nest` in any order, and hand on what each has.
bool canReduceTogether(const LoopNest &nest);

/// The same of the threads of a warp, which exchange numbers of some types alone.
bool canReduceByWarp(const LoopNest &nest);

/// Products have tiles in shared memory and weights packed for these, long reductions of few points warps or blocks
/// that take them together, and what is left a thread for each point, or vector of points where there are many.
ThreadSchedule defaultSchedule(const TaskProgram &program, const NestGroup &group, const LoopNest &nest,
                               const GpuMachine &gpu);

/// What a nest may have without a tile: a thread for each point, or vector of points, and where that can be a warp or a
/// block.
std::vector<ThreadSchedule> plainOptions(const NestGroup &group, const LoopNest &nest);

/// What all nests of a program are given, in the order of its groups.
struct ThreadSchedules {
  std::vector<NestSchedule> loops;
  std::vector<GpuSchedule> threads;
};

/// The same for each nest.
ThreadSchedules defaultSchedules(const TaskProgram &program, const GpuMachine &gpu);

} // namespace cameo::schedule

#endif
