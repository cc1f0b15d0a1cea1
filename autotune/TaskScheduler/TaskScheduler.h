// Chooses the task for the next round of measurements. It knows costs, but not how they are measured.
#ifndef CAMEO_AUTOTUNE_TASKSCHEDULER_TASKSCHEDULER_H
#define CAMEO_AUTOTUNE_TASKSCHEDULER_TASKSCHEDULER_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace cameo::autotune {

/// The progress of the search of one task.
struct TaskProgress {
  std::string kind;  ///< operation of the task without sizes; equal for similar tasks
  double weight = 1; ///< calls per run of the model; for a task with dynamic sizes divided by the number of runs in a
                     ///< measurement
  double flops = 0;  ///< scalar operations of one call
  std::optional<double> bestSeconds; ///< best cost of one call; nothing if no measurement succeeded yet
  std::vector<double> history;       ///< bestSeconds after each round in which it was known
  unsigned rounds = 0;               ///< number of its rounds
  unsigned trials = 0, failures = 0; ///< number of measurements, and of those without a cost
  unsigned trialsSinceGain = 0;
  bool isFinished = false;              ///< nothing left to measure, or no improvement expected
  bool leftGroup = false;               ///< excluded from its group of similar tasks (staysBehind)
  std::string key;                      ///< of the task
  std::optional<double> untunedSeconds; ///< cost of one call with the default schedule, measured as bestSeconds;
                                        ///< nothing if they were not compared
};

struct TaskSchedulerOptions {
  std::string strategy = "gradient"; ///< one of taskSchedulerNames()
  uint64_t seed = 0;
  double alpha = 0.2, beta = 2; ///< weight of past gains, and largest ratio of its cost to that of a similar task
  unsigned window = 3;          ///< number of past rounds that count
};

class TaskScheduler {
public:
  virtual ~TaskScheduler();

  /// Returns the index of the task for the next round: first tasks without a round, then those without a result, then
  /// the choice of the strategy. Returns nothing if all are finished.
  std::optional<size_t> next(llvm::ArrayRef<TaskProgress> tasks);

protected:
  /// Returns one of the tasks that are not finished. There is at least one, and all of them have a result.
  virtual size_t choose(llvm::ArrayRef<TaskProgress> tasks) = 0;
};

/// Returns the kind of a task with this name: `conv_relu` for `conv_relu_12`.
std::string taskKind(llvm::StringRef name);

/// "gradient", "round-robin".
llvm::ArrayRef<llvm::StringRef> taskSchedulerNames();

/// `options.strategy` must be one of the names.
std::unique_ptr<TaskScheduler> createTaskScheduler(const TaskSchedulerOptions &options);

std::unique_ptr<TaskScheduler> createGradientScheduler(const TaskSchedulerOptions &options);
std::unique_ptr<TaskScheduler> createRoundRobinScheduler();

/// Returns the time of one run of the model in seconds: the sum of weight times best cost over the tasks that have a
/// cost.
double objective(llvm::ArrayRef<TaskProgress> tasks);

/// Returns the estimated time of one run of the model in seconds, if the tasks for which `uses` returns true have their
/// best schedules and the others their default ones. `modelSeconds` is the time with default schedules only. If it is
/// unknown (0), or a task was not compared with its default schedule, returns objective().
double estimateModel(llvm::ArrayRef<TaskProgress> tasks, double modelSeconds,
                     llvm::function_ref<bool(llvm::StringRef key)> uses);

/// Whether task `index` is still far behind its group after more rounds than the others had. It then leaves the group
/// permanently.
bool staysBehind(llvm::ArrayRef<TaskProgress> tasks, size_t index, const TaskSchedulerOptions &options);

/// Returns the expected change of the objective by one more round of task `index`, in seconds; at most 0.
double expectedGain(llvm::ArrayRef<TaskProgress> tasks, size_t index, const TaskSchedulerOptions &options);

} // namespace cameo::autotune

#endif
