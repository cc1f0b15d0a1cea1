#include "autotune/CostModel/AnalyticModel.h"

namespace cameo::autotune {

std::vector<double> AnalyticModel::predict(const std::vector<const FeatureMatrix *> &schedules) const {
  std::vector<double> scores;
  for (const FeatureMatrix *schedule : schedules)
    scores.push_back(schedule->rows() == 0 ? 0 : -static_cast<double>(schedule->at(0, Feature::TaskCycles)));
  return scores;
}

std::string AnalyticModel::save(const std::string &path) const {
  return path + ": the analytic cost model has no parameters to save";
}

std::string AnalyticModel::loadBytes(const std::string &name, std::string_view) {
  return name + ": this build has no boosted trees (XGBoost was missing when it was configured)";
}

} // namespace cameo::autotune
