// Cost models from measurements of earlier runs, and how well they order what they have not seen.
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

/// The features and costs of those of `outcomes` that are of the task and whose schedules fit it.
std::vector<Sample> samplesOf(const SearchTask &task, llvm::ArrayRef<KnownOutcome> outcomes);

/// How models order schedules that they have not seen: `accuracy` is the part of the pairs of one task in order (pairs
/// that differ by more than 3 %), `correlation` Spearman's rank correlation of scores and speeds.
struct Ordering {
  double accuracy = 0, correlation = 0;
};

/// What was found about one task, or about all together (means over tasks, weighted by the schedules held out).
struct TaskTraining {
  std::string key;
  size_t samples = 0;              ///< that the model has learnt from
  size_t heldOut = 0;              ///< of the samples: kept back at first
  Ordering trained;                ///< the model before it saw those
  Ordering analytic;               ///< the analytic model
  std::optional<Ordering> newTask; ///< a model that learnt from other tasks only; none where there are no others
};

struct TrainingReport {
  std::vector<TaskTraining> tasks; ///< that have samples
  TaskTraining all;
  size_t ignored = 0; ///< outcomes of other tasks, or with schedules that do not fit
};

/// Makes a model that knows what the one to be trained knows before.
using ModelFactory = llvm::function_ref<std::shared_ptr<CostModel>()>;

/// Trains `model` on a part of `outcomes`, looks how it orders the rest (a fifth, chosen by `seed`), then trains it on
/// that too. What it would be worth for a task that it never saw is found with models of `create`, each trained without
/// a fifth of the tasks; null: with those of createCostModel(seed).
TrainingReport trainModel(llvm::ArrayRef<SearchTask> tasks, llvm::ArrayRef<KnownOutcome> outcomes, CostModel &model,
                          uint64_t seed, ModelFactory create = nullptr);

} // namespace cameo::autotune

#endif
