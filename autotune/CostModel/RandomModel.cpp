#include "autotune/CostModel/RandomModel.h"

#include <cstring>

namespace cameo::autotune {

std::vector<double> RandomModel::predict(const std::vector<const FeatureMatrix *> &schedules) const {
  std::vector<double> scores;
  for (const FeatureMatrix *schedule : schedules) {
    uint64_t hash = seed ^ 0x9e3779b97f4a7c15;
    for (float value : schedule->values) {
      uint32_t bits;
      std::memcpy(&bits, &value, sizeof bits);
      hash = (hash ^ bits) * 0xbf58476d1ce4e5b9;
      hash ^= hash >> 29;
    }
    scores.push_back(static_cast<double>(hash >> 11) * 0x1.0p-53);
  }
  return scores;
}

} // namespace cameo::autotune
