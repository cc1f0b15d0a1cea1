// Chooses the task whose next round promises the largest gain for the whole model: Zheng et al., "Ansor: Generating
// High-Performance Tensor Programs for Deep Learning" (OSDI 2020), section 6.2.
#include "autotune/TaskScheduler/TaskScheduler.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>
#include <limits>
#include <random>

namespace cameo::autotune {

/// Tasks of one kind are similar if their sizes are within about a factor of the golden ratio.
static bool isSimilar(const TaskProgress &a, const TaskProgress &b) {
  auto step = [](double flops) { return std::floor(std::log(flops + 1) / std::log(1.618)); };
  return !a.leftGroup && !b.leftGroup && a.kind == b.kind && step(a.flops) == step(b.flops);
}

/// Returns the best speed in operations per second in the group of task `index`, including the task itself; 0 if it is
/// in no group.
static double bestSpeedOfGroup(llvm::ArrayRef<TaskProgress> tasks, size_t index) {
  double bestSpeed = 0;
  for (const TaskProgress &other : tasks)
    if (isSimilar(other, tasks[index]) && other.bestSeconds)
      bestSpeed = std::max(bestSpeed, other.flops / *other.bestSeconds);
  return bestSpeed;
}

bool staysBehind(llvm::ArrayRef<TaskProgress> tasks, size_t index, const TaskSchedulerOptions &options) {
  constexpr unsigned patience = 5; // rounds more than the others
  const TaskProgress &task = tasks[index];
  if (!task.bestSeconds || task.flops / *task.bestSeconds >= bestSpeedOfGroup(tasks, index) / options.beta)
    return false;
  unsigned otherRounds = 0;
  for (size_t other = 0; other < tasks.size(); ++other)
    if (other != index && isSimilar(tasks[other], task))
      otherRounds = std::max(otherRounds, tasks[other].rounds);
  return task.rounds > patience + otherRounds;
}

double expectedGain(llvm::ArrayRef<TaskProgress> tasks, size_t index, const TaskSchedulerOptions &options) {
  const TaskProgress &task = tasks[index];
  if (!task.bestSeconds || task.history.empty())
    return 0;
  double cost = *task.bestSeconds;
  size_t rounds = task.history.size(), window = options.window;
  double past = rounds > window ? (task.history[rounds - 1] - task.history[rounds - 1 - window]) / double(window) : 0;
  double byRounds = cost - cost / double(rounds);
  double bySimilar = std::numeric_limits<double>::infinity();
  if (double bestSpeed = bestSpeedOfGroup(tasks, index); bestSpeed > 0)
    bySimilar = options.beta * task.flops / bestSpeed;
  double future = std::min(byRounds, bySimilar) - cost;
  // The objective is linear, so its derivative by the cost of a task is the weight.
  return std::min(0.0, task.weight * (options.alpha * past + (1 - options.alpha) * future));
}

namespace {

class GradientScheduler : public TaskScheduler {
public:
  explicit GradientScheduler(const TaskSchedulerOptions &options) : options(options), random(options.seed) {}

private:
  size_t choose(llvm::ArrayRef<TaskProgress> tasks) override {
    std::vector<size_t> open;
    std::vector<double> gains;
    for (size_t index = 0; index < tasks.size(); ++index)
      if (!tasks[index].isFinished) {
        open.push_back(index);
        gains.push_back(expectedGain(tasks, index, options));
      }
    auto least = llvm::min_element(gains), most = llvm::max_element(gains);
    if (*least == *most)
      return open[random() % open.size()];
    return open[least - gains.begin()];
  }

  TaskSchedulerOptions options;
  std::mt19937_64 random; // the same on every platform
};

} // namespace

std::unique_ptr<TaskScheduler> createGradientScheduler(const TaskSchedulerOptions &options) {
  return std::make_unique<GradientScheduler>(options);
}

} // namespace cameo::autotune
