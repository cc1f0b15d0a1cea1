// A cost model with random scores, as a baseline for searches.
#ifndef CAMEO_AUTOTUNE_COSTMODEL_RANDOMMODEL_H
#define CAMEO_AUTOTUNE_COSTMODEL_RANDOMMODEL_H

#include "autotune/CostModel/CostModel.h"

namespace cameo::autotune {

/// The score depends only on the features of the schedule and the seed.
class RandomModel : public CostModel {
public:
  explicit RandomModel(uint64_t seed) : seed(seed) {}

  std::string name() const override { return "random"; }
  void update(const std::vector<Sample> &) override {}
  std::vector<double> predict(const std::vector<const FeatureMatrix *> &schedules) const override;
  std::string save(const std::string &path) const override {
    return path + ": the random cost model has no parameters to save";
  }
  std::string loadBytes(const std::string &name, std::string_view) override {
    return name + ": the random cost model has no parameters to load";
  }

private:
  uint64_t seed;
};

} // namespace cameo::autotune

#endif
