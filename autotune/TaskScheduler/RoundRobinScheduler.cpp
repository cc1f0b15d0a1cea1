// Chooses every task in turn.
#include "autotune/TaskScheduler/TaskScheduler.h"

namespace cameo::autotune {
namespace {

class RoundRobinScheduler : public TaskScheduler {
  size_t choose(llvm::ArrayRef<TaskProgress> tasks) override {
    // Chooses the task with the fewest rounds, so that the scheduler needs no state of its own.
    size_t chosen = tasks.size();
    for (size_t index = 0; index < tasks.size(); ++index)
      if (!tasks[index].isFinished && (chosen == tasks.size() || tasks[index].rounds < tasks[chosen].rounds))
        chosen = index;
    return chosen;
  }
};

} // namespace

std::unique_ptr<TaskScheduler> createRoundRobinScheduler() { return std::make_unique<RoundRobinScheduler>(); }

} // namespace cameo::autotune
