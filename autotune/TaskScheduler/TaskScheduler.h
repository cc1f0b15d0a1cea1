// Which task is worth the next round of measurements. Knows costs, not how they are measured.
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

/// How far the search of one task is.
struct TaskProgress {
  std::string kind;  ///< what it computes, without sizes; similar tasks share it
  double weight = 1; ///< calls per run of the model; of an open task divided by the runs of it that a measurement has
  double flops = 0;  ///< of one call
  std::optional<double> bestSeconds; ///< of one call; none: nothing worked yet
  std::vector<double> history;       ///< bestSeconds after each round that had one
  unsigned rounds = 0;               ///< that it had
  unsigned trials = 0, failures = 0; ///< measurements, and those without a cost
  unsigned trialsSinceGain = 0;
  bool isFinished = false; ///< nothing left to measure, or no hope
  bool leftGroup = false;  ///< similar tasks say nothing about it any more (staysBehind)
  std::string key;         ///< of the task
  std::optional<double>
      untunedSeconds; ///< of one call with the default schedule, as bestSeconds; none: they were not compared
};

struct TaskSchedulerOptions {
  std::string strategy = "gradient"; ///< one of taskSchedulerNames()
  uint64_t seed = 0;
  double alpha = 0.2, beta = 2; ///< weight of the past, and how much slower than a similar task one may be
  unsigned window = 3;          ///< rounds that the past goes back
};

class TaskScheduler {
public:
  virtual ~TaskScheduler();

  /// The number of the task for the next round: in order those that had none yet, those without a result, then as the
  /// strategy says. None when all are finished.
  std::optional<size_t> next(llvm::ArrayRef<TaskProgress> tasks);

protected:
  /// One of the tasks that are not finished; there is one, and all of them have a result.
  virtual size_t choose(llvm::ArrayRef<TaskProgress> tasks) = 0;
};

/// What a task of this name computes, without sizes: `conv_relu` of `conv_relu_12`.
std::string taskKind(llvm::StringRef name);

/// "gradient", "round-robin".
llvm::ArrayRef<llvm::StringRef> taskSchedulerNames();

/// `options.strategy` is one of the names.
std::unique_ptr<TaskScheduler> createTaskScheduler(const TaskSchedulerOptions &options);

std::unique_ptr<TaskScheduler> createGradientScheduler(const TaskSchedulerOptions &options);
std::unique_ptr<TaskScheduler> createRoundRobinScheduler();

/// Seconds of one run of the model: the sum of weight times best cost over tasks that have one.
double objective(llvm::ArrayRef<TaskProgress> tasks);

/// Seconds of one run of the model if tasks that `uses` names by their keys have their best schedules, the others their
/// default ones, and the model takes `modelSeconds` with default schedules alone. Where that is not known (0), or some
/// task was not compared with its default schedule: objective().
double estimateModel(llvm::ArrayRef<TaskProgress> tasks, double modelSeconds,
                     llvm::function_ref<bool(llvm::StringRef key)> uses);

/// Whether task `index` stays far below its group after more rounds than the others had: then it is none of them, and
/// leaves for good.
bool staysBehind(llvm::ArrayRef<TaskProgress> tasks, size_t index, const TaskSchedulerOptions &options);

/// What one more round of task `index` is expected to change the objective by, in seconds; 0 or below.
double expectedGain(llvm::ArrayRef<TaskProgress> tasks, size_t index, const TaskSchedulerOptions &options);

} // namespace cameo::autotune

#endif
