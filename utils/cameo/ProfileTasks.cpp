#include "utils/cameo/ProfileTasks.h"

using namespace cameo;

llvm::Expected<TaskProfile> cameo::profileTasks(const ModelLibrary &library, ModelRunner &runner, int64_t runs) {
  TaskProfile measured;
  measured.peaks = measurePeaks(runner.threadCount());
  if (llvm::Error error = runner.run())
    return std::move(error);
  // The fastest run of each task: what disturbs one run for a moment would else be the time of the task that it met.
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
  // Those for other processors than this one did not run, and those of branches that were not taken.
  for (auto [task, time] : llvm::zip(library.tasks(), fastest))
    if (time.count > 0)
      measured.tasks.push_back({task.name, task.key, task.schedule, time.count, static_cast<double>(time.nanoseconds) / 1e6,
                                task.flops * time.count, task.bytes * time.count});
  return measured;
}
