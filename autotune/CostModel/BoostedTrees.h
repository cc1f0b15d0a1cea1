// A cost model of gradient boosted trees over the feature rows of schedules. It is trained again on all measurements
// whenever there are enough new ones.
#ifndef CAMEO_AUTOTUNE_COSTMODEL_BOOSTEDTREES_H
#define CAMEO_AUTOTUNE_COSTMODEL_BOOSTEDTREES_H

#include "autotune/CostModel/CostModel.h"

namespace cameo::autotune {

/// The cost of a schedule is the sum of the costs of its nests. For each nest the trees predict the logarithm of the
/// ratio of its cost to the analytic estimate (NestCycles); the score is the negated logarithm of the sum. The model is
/// fitted to measured costs; only differences within a task count, and fast schedules have more weight. Trees from
/// load() are the start, and trees for new measurements correct them. Without trees, the analytic model predicts.
/// Returns null in a build without XGBoost.
std::shared_ptr<CostModel> createBoostedTrees(uint64_t seed);

} // namespace cameo::autotune

#endif
