// Gradient boosted trees over the rows of schedules, trained again on all measurements whenever there are enough new ones.
#ifndef CAMEO_AUTOTUNE_COSTMODEL_BOOSTEDTREES_H
#define CAMEO_AUTOTUNE_COSTMODEL_BOOSTEDTREES_H

#include "autotune/CostModel/CostModel.h"

namespace cameo::autotune {

/// A schedule's score is the sum of what the trees give for its nests; it is fitted to the fastest cost of the task divided by the
/// schedule's own (the pack-sum objective of Ansor, Zheng et al., OSDI 2020). What load() read is the start: trees for new
/// measurements correct it. Before either, the analytic model answers. Null in a build without XGBoost.
std::shared_ptr<CostModel> createBoostedTrees(uint64_t seed, unsigned threads);

} // namespace cameo::autotune

#endif
