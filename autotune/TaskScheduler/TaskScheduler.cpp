#include "autotune/TaskScheduler/TaskScheduler.h"

#include "llvm/ADT/STLExtras.h"

namespace cameo::autotune {

TaskScheduler::~TaskScheduler() = default;

std::optional<size_t> TaskScheduler::next(llvm::ArrayRef<TaskProgress> tasks) {
  auto isNew = [](const TaskProgress &task) { return task.rounds == 0 && !task.isFinished; };
  if (const auto *found = llvm::find_if(tasks, isNew); found != tasks.end())
    return found - tasks.begin();
  auto hasNone = [](const TaskProgress &task) { return !task.bestSeconds && !task.isFinished; };
  if (const auto *found = llvm::find_if(tasks, hasNone); found != tasks.end())
    return found - tasks.begin();
  if (llvm::all_of(tasks, [](const TaskProgress &task) { return task.isFinished; }))
    return std::nullopt;
  return choose(tasks);
}

std::string taskKind(llvm::StringRef name) {
  llvm::StringRef base = name.rtrim("0123456789");
  return (base.size() < name.size() && base.ends_with("_") ? base.drop_back() : name).str();
}

llvm::ArrayRef<llvm::StringRef> taskSchedulerNames() {
  static constexpr llvm::StringRef names[] = {"gradient", "round-robin"};
  return names;
}

std::unique_ptr<TaskScheduler> createTaskScheduler(const TaskSchedulerOptions &options) {
  return options.strategy == "round-robin" ? createRoundRobinScheduler() : createGradientScheduler(options);
}

double objective(llvm::ArrayRef<TaskProgress> tasks) {
  double total = 0;
  for (const TaskProgress &task : tasks)
    total += task.weight * task.bestSeconds.value_or(0);
  return total;
}

// The cost of a task alone differs somewhat from its cost in the model, with any schedule. So the model is assumed to
// gain the same fraction as the sum of its tasks.
double estimateModel(llvm::ArrayRef<TaskProgress> tasks, double modelSeconds,
                     llvm::function_ref<bool(llvm::StringRef key)> uses) {
  double tuned = 0, untuned = 0;
  for (const TaskProgress &task : tasks) {
    if (!task.bestSeconds || !task.untunedSeconds || modelSeconds <= 0)
      return objective(tasks);
    tuned += task.weight * (uses(task.key) ? *task.bestSeconds : *task.untunedSeconds);
    untuned += task.weight * *task.untunedSeconds;
  }
  return untuned > 0 ? modelSeconds * tuned / untuned : 0;
}

} // namespace cameo::autotune
