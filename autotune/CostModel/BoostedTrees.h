// Gradient boosted trees over the rows of schedules, trained again on all measurements whenever there are enough new
// ones.
#ifndef CAMEO_AUTOTUNE_COSTMODEL_BOOSTEDTREES_H
#define CAMEO_AUTOTUNE_COSTMODEL_BOOSTEDTREES_H

#include "autotune/CostModel/CostModel.h"

namespace cameo::autotune {

/// A schedule costs what its nests cost together: of each nest the trees give the logarithm of its cost by the
/// estimate's (NestCycles), and the score is the negated logarithm of the sum. It is fitted to measured costs, of which
/// only differences within a task count; fast schedules have more weight. What load() read is the start: trees for new
/// measurements correct it. Before either, the analytic model answers. Null in a build without XGBoost.
std::shared_ptr<CostModel> createBoostedTrees(uint64_t seed);

} // namespace cameo::autotune

#endif
