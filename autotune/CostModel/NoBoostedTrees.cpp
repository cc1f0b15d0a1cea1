// Replaces BoostedTrees.cpp in builds without XGBoost.
#include "autotune/CostModel/BoostedTrees.h"

namespace cameo::autotune {

std::shared_ptr<CostModel> createBoostedTrees(uint64_t) { return nullptr; }

} // namespace cameo::autotune
