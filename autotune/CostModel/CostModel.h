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

/// One measured schedule. Costs are only compared between samples of the same `task`, which names the task and the
/// machine.
struct Sample {
  std::string task;
  FeatureMatrix features;
  double costSeconds = 0; ///< 0 if the measurement failed
};

/// Not thread-safe except for predict().
class CostModel {
public:
  virtual ~CostModel();
  /// Returns the name for messages: "boosted trees", "analytic" or "random".
  virtual std::string name() const = 0;
  /// Trains on `samples` in addition to those of earlier calls.
  virtual void update(const std::vector<Sample> &samples) = 0;
  /// Returns one score for each schedule. Higher is faster; scores are comparable between schedules of one task only.
  /// The score of a schedule does not depend on the others.
  virtual std::vector<double> predict(const std::vector<const FeatureMatrix *> &schedules) const = 0;
  /// Writes the model to a file. Returns "" or an error message with the path.
  virtual std::string save(const std::string &path) const = 0;
  std::string load(const std::string &path);
  /// Loads the model from the bytes of such a file; `name` is for messages.
  virtual std::string loadBytes(const std::string &name, std::string_view bytes) = 0;
};

/// Returns the best model of this build: boosted trees on top of the analytic model, or only the analytic model if
/// CMake found no XGBoost. `seed` seeds the random choices.
std::shared_ptr<CostModel> createCostModel(uint64_t seed);

/// Returns a model by name: "trees" (null in a build without XGBoost), "analytic" or "random".
std::shared_ptr<CostModel> createCostModel(const std::string &name, uint64_t seed);

/// Returns the share of pairs that `model` orders correctly, among pairs of one task whose costs differ by more than
/// `tolerance` (relative). Ties count half. Returns 1 if there are no pairs.
double pairwiseAccuracy(const CostModel &model, const std::vector<Sample> &samples, double tolerance);

/// Returns Spearman's rank correlation between the scores of `model` and the speeds of `samples`, which are of one
/// task; failures are left out. Returns 1 for fewer than two samples, and 0 if all scores or all speeds are equal.
double rankCorrelation(const CostModel &model, const std::vector<Sample> &samples);

} // namespace cameo::autotune

#endif
