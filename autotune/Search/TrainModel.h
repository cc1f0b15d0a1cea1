// Trains cost models on measurements of earlier runs, and evaluates them on held-out measurements.
#ifndef CAMEO_AUTOTUNE_SEARCH_TRAINMODEL_H
#define CAMEO_AUTOTUNE_SEARCH_TRAINMODEL_H

#include "autotune/CostModel/CostModel.h"
#include "autotune/Search/SearchPolicy.h"

#include <optional>

namespace cameo::autotune {

/// A measurement of the task with this key.
struct KnownOutcome {
  std::string key;
  Outcome outcome;
};

/// Returns the features and costs of those `outcomes` that are of the task and whose schedules fit it.
std::vector<Sample> samplesOf(const SearchTask &task, llvm::ArrayRef<KnownOutcome> outcomes);

/// How well a model orders held-out schedules: `accuracy` is the share of correctly ordered pairs of one task (pairs
/// that differ by more than 3 %), `correlation` is Spearman's rank correlation of scores and speeds.
struct Ordering {
  double accuracy = 0, correlation = 0;
};

/// The evaluation for one task, or for all together (means over tasks, weighted by the number of held-out schedules).
struct TaskTraining {
  std::string key;
  size_t samples = 0;              ///< samples that the model is trained on in the end
  size_t heldOut = 0;              ///< number of these that were held out at first
  Ordering trained;                ///< the model before it was trained on the held-out samples
  Ordering analytic;               ///< the analytic model
  std::optional<Ordering> newTask; ///< a model trained on other tasks only; nothing if there are none
};

struct TrainingReport {
  std::vector<TaskTraining> tasks; ///< tasks with samples
  TaskTraining all;
  size_t ignored = 0; ///< outcomes of other tasks, or whose schedules do not fit
};

/// Creates a model in the same state as the one to be trained.
using ModelFactory = llvm::function_ref<std::shared_ptr<CostModel>()>;

/// Trains `model` on a part of `outcomes`, evaluates it on the rest (a fifth, chosen by `seed`), and then trains it on
/// the rest, too. To estimate its quality on a new task, models from `create` are each trained without a fifth of the
/// tasks; if `create` is null, models from createCostModel(seed).
TrainingReport trainModel(llvm::ArrayRef<SearchTask> tasks, llvm::ArrayRef<KnownOutcome> outcomes, CostModel &model,
                          uint64_t seed, ModelFactory create = nullptr);

} // namespace cameo::autotune

#endif
