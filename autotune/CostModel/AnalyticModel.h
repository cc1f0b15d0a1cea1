// The estimate of cycles that the features hold, as it is: what there is before anything is measured.
#ifndef CAMEO_AUTOTUNE_COSTMODEL_ANALYTICMODEL_H
#define CAMEO_AUTOTUNE_COSTMODEL_ANALYTICMODEL_H

#include "autotune/CostModel/CostModel.h"

namespace cameo::autotune {

/// Learns nothing and has nothing to save.
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
