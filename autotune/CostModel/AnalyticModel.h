// The analytic cost model, which uses the estimate of cycles in the features. It needs no measurements.
#ifndef CAMEO_AUTOTUNE_COSTMODEL_ANALYTICMODEL_H
#define CAMEO_AUTOTUNE_COSTMODEL_ANALYTICMODEL_H

#include "autotune/CostModel/CostModel.h"

namespace cameo::autotune {

/// Does not learn and has no state to save.
class AnalyticModel : public CostModel {
public:
  std::string name() const override { return "analytic"; }
  void update(const std::vector<Sample> &) override {}
  std::vector<double> predict(const std::vector<const FeatureMatrix *> &schedules) const override;
  std::string save(const std::string &path) const override;
  std::string loadBytes(const std::string &name, std::string_view) override;
};

} // namespace cameo::autotune

#endif
