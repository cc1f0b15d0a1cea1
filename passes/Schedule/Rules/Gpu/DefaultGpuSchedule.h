// Default schedules of the nests of a task on a GPU.
#ifndef CAMEO_PASSES_SCHEDULE_RULES_GPU_DEFAULTGPUSCHEDULE_H
#define CAMEO_PASSES_SCHEDULE_RULES_GPU_DEFAULTGPUSCHEDULE_H

#include "dialects/Target/GpuMachine.h"
#include "passes/Schedule/Rules/Gpu/GpuSchedule.h"

namespace cameo::schedule {

/// The programs of other tasks that share launches with a task.
using Beside = llvm::ArrayRef<const TaskProgram *>;

/// The schedule of one nest.
struct ThreadSchedule {
  NestSchedule loops;
  GpuSchedule threads;
};

/// Whether several threads or blocks may compute parts of the reductions of `nest` in any order and combine them.
bool canReduceTogether(const LoopNest &nest);

/// Whether the threads of a warp may do so, whose shuffles support some types only.
bool canReduceByWarp(const LoopNest &nest);

/// Returns the default schedule: products use tiles in shared memory and weights packed for them, long reductions of
/// few points use a warp or a block per point, all other nests one thread per point, or per vector of points if there
/// are many.
ThreadSchedule defaultSchedule(const TaskProgram &program, const NestGroup &group, const LoopNest &nest,
                               const GpuMachine &gpu, Beside beside = {});

/// Returns the schedules of a nest without tiles: a thread for each point or vector of points and, if possible, a warp
/// or a block for each point.
std::vector<ThreadSchedule> plainOptions(const NestGroup &group, const LoopNest &nest);

/// The schedules of all nests of a program, in the order of its groups.
struct ThreadSchedules {
  std::vector<NestSchedule> loops;
  std::vector<GpuSchedule> threads;
};

/// Returns the default schedule of each nest.
ThreadSchedules defaultSchedules(const TaskProgram &program, const GpuMachine &gpu, Beside beside = {});

} // namespace cameo::schedule

#endif
