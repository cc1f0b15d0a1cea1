// Predicts which of several schedules is fastest. Plain C++, so that a model can be trained and tested without a
// compiler.
#ifndef CAMEO_AUTOTUNE_COSTMODEL_COSTMODEL_H
#define CAMEO_AUTOTUNE_COSTMODEL_COSTMODEL_H

#include "autotune/Features/FeatureVector.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace cameo::autotune {

/// One measured schedule. `task` and what it ran on name what costs are compared within.
struct Sample {
  std::string task;
  FeatureMatrix features;
  double costSeconds = 0; ///< 0: it failed
};

/// Not thread-safe but for predict().
class CostModel {
public:
  virtual ~CostModel();
  /// For messages: "boosted trees", "analytic", "random".
  virtual std::string name() const = 0;
  /// Learns from measurements, beside those before.
  virtual void update(const std::vector<Sample> &samples) = 0;
  /// Higher is faster; comparable between schedules of one task only. What is said of one does not depend on the
  /// others.
  virtual std::vector<double> predict(const std::vector<const FeatureMatrix *> &schedules) const = 0;
  /// Empty, or what went wrong, with the path.
  virtual std::string save(const std::string &path) const = 0;
  std::string load(const std::string &path);
  /// The same for the bytes of such a file; `name` is for messages.
  virtual std::string loadBytes(const std::string &name, std::string_view bytes) = 0;
};

/// The best model of this build: boosted trees over the analytic one, or the analytic one alone where XGBoost was
/// missing when the project was configured. `seed` decides ties and randomness.
std::shared_ptr<CostModel> createCostModel(uint64_t seed);

/// By name: "trees" (null where XGBoost is missing), "analytic", "random".
std::shared_ptr<CostModel> createCostModel(const std::string &name, uint64_t seed);

/// Of the pairs of one task whose costs differ by more than `tolerance` (relative), the part that `model` puts in
/// order; ties count half. 1 where there are none.
double pairwiseAccuracy(const CostModel &model, const std::vector<Sample> &samples, double tolerance);

/// Spearman's rank correlation between the scores that `model` gives and speeds, of `samples` of one task; failures are
/// left out. 1 for fewer than two, 0 where all scores or all speeds are the same.
double rankCorrelation(const CostModel &model, const std::vector<Sample> &samples);

} // namespace cameo::autotune

#endif
