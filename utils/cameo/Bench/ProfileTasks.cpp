#include "utils/cameo/Bench/ProfileTasks.h"

using namespace cameo;

/// Sums the fastest times of the kernels of each task. Copies belong to no task.
static llvm::Expected<TaskProfile> profileOnGpu(const ModelLibrary &library, ModelRunner &runner, int64_t runs) {
  const cameo_gpu_model &model = *library.gpu();
  if (llvm::any_of(llvm::ArrayRef(model.steps, model.step_count),
                   [](const cameo_gpu_step &step) { return step.kind == CAMEO_GPU_PERSISTENT; }))
    return llvm::createStringError("--profile: expected a model with --gpu-launch=dispatch: one launch has all tasks");
  llvm::Expected<std::vector<float>> times = runner.timeStepsOnGpu(static_cast<int>(runs));
  if (!times)
    return times.takeError();
  struct Sum {
    double ms = 0;
    uint64_t count = 0;
    uint32_t firstKernel = 0;
  };
  std::vector<Sum> sums(library.tasks().size());
  for (auto [step, ms] : llvm::zip_equal(llvm::ArrayRef(model.steps, model.step_count), *times)) {
    if (step.kind != CAMEO_GPU_LAUNCH && step.kind != CAMEO_GPU_CALL)
      continue;
    uint32_t task =
        step.kind == CAMEO_GPU_CALL ? model.host_kernels[step.kernel].task : model.kernels[step.kernel].task;
    if (task >= sums.size())
      continue;
    Sum &sum = sums[task];
    sum.ms += ms;
    // Each execution of a task launches each of its kernels once.
    if (sum.count == 0)
      sum.firstKernel = step.kernel;
    sum.count += step.kernel == sum.firstKernel;
  }
  TaskProfile measured;
  for (auto [task, sum] : llvm::zip_equal(library.tasks(), sums))
    if (sum.count > 0)
      measured.tasks.push_back({task.name, task.key, task.schedule, sum.count, sum.ms,
                                task.flops * static_cast<double>(sum.count),
                                task.bytes * static_cast<double>(sum.count)});
  return measured;
}

llvm::Expected<TaskProfile> cameo::profileTasks(const ModelLibrary &library, ModelRunner &runner, int64_t runs) {
  if (library.gpu())
    return profileOnGpu(library, runner, runs);
  TaskProfile measured;
  measured.peaks = measurePeaks(runner.threadCount());
  if (llvm::Error error = runner.run())
    return std::move(error);
  // The fastest run of each task counts: a disturbance of one run would otherwise count as the time of a task.
  std::vector<cameo_task_profile> fastest;
  for (int64_t i = 0; i < runs; ++i) {
    llvm::ArrayRef<cameo_task_profile> times = runner.startProfile();
    if (llvm::Error error = runner.run())
      return std::move(error);
    if (fastest.empty())
      fastest.assign(times.begin(), times.end());
    for (auto [least, time] : llvm::zip_equal(fastest, times))
      if (time.nanoseconds < least.nanoseconds)
        least = time;
  }
  // Tasks for other CPUs and tasks of branches that were not taken did not run.
  for (auto [task, time] : llvm::zip(library.tasks(), fastest))
    if (time.count > 0)
      measured.tasks.push_back({task.name, task.key, task.schedule, time.count,
                                static_cast<double>(time.nanoseconds) / 1e6, task.flops * time.count,
                                task.bytes * time.count});
  return measured;
}
