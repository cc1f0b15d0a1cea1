// Cost models from measurements of earlier runs, and how well they order what they have not seen.
#ifndef CAMEO_AUTOTUNE_SEARCH_TRAINMODEL_H
#define CAMEO_AUTOTUNE_SEARCH_TRAINMODEL_H

#include "autotune/CostModel/CostModel.h"
#include "autotune/Search/SearchPolicy.h"

namespace cameo::autotune {

/// A measurement of the task with this key.
struct KnownOutcome {
  std::string key;
  Outcome outcome;
};

struct TrainingReport {
  size_t samples = 0;   ///< that the model has learnt from
  size_t ignored = 0;   ///< of other tasks, or with schedules that do not fit
  size_t heldOut = 0;   ///< of the samples: kept back at first
  double accuracy = 0;  ///< of the model before it saw those, in pairs of one task that differ by more than 3 %
  double analytic = 0;  ///< of the analytic model on the same pairs
};

/// Trains `model` on a part of `outcomes`, looks how it orders the rest (a fifth, chosen by `seed`), then trains it on that too.
TrainingReport trainModel(llvm::ArrayRef<SearchTask> tasks, llvm::ArrayRef<KnownOutcome> outcomes, CostModel &model,
                          uint64_t seed);

} // namespace cameo::autotune

#endif
