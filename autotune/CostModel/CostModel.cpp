#include "autotune/CostModel/CostModel.h"

#include "autotune/CostModel/AnalyticModel.h"
#include "autotune/CostModel/BoostedTrees.h"
#include "autotune/CostModel/RandomModel.h"

#include <cmath>

namespace cameo::autotune {

CostModel::~CostModel() = default;

std::shared_ptr<CostModel> createCostModel(uint64_t seed) {
  if (std::shared_ptr<CostModel> trees = createBoostedTrees(seed))
    return trees;
  return std::make_shared<AnalyticModel>();
}

std::shared_ptr<CostModel> createCostModel(const std::string &name, uint64_t seed) {
  if (name == "trees")
    return createBoostedTrees(seed);
  if (name == "analytic")
    return std::make_shared<AnalyticModel>();
  if (name == "random")
    return std::make_shared<RandomModel>(seed);
  return nullptr;
}

double pairwiseAccuracy(const CostModel &model, const std::vector<Sample> &samples, double tolerance) {
  std::vector<const FeatureMatrix *> schedules;
  for (const Sample &sample : samples)
    schedules.push_back(&sample.features);
  std::vector<double> predicted = model.predict(schedules);
  double pairs = 0, ordered = 0;
  for (size_t a = 0; a < samples.size(); ++a)
    for (size_t b = 0; b < a; ++b) {
      double first = samples[a].costSeconds, second = samples[b].costSeconds;
      if (samples[a].task != samples[b].task || first <= 0 || second <= 0 ||
          std::abs(first - second) <= tolerance * std::min(first, second))
        continue;
      ++pairs;
      if (predicted[a] == predicted[b])
        ordered += 0.5;
      else
        ordered += (predicted[a] > predicted[b]) == (first < second);
    }
  return pairs == 0 ? 1 : ordered / pairs;
}

} // namespace cameo::autotune
