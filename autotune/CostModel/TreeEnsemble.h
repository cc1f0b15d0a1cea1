// RAII wrappers of XGBoost's C API.
#ifndef CAMEO_AUTOTUNE_COSTMODEL_TREEENSEMBLE_H
#define CAMEO_AUTOTUNE_COSTMODEL_TREEENSEMBLE_H

#include "autotune/CostModel/DecisionTrees.h"
#include "autotune/Features/FeatureVector.h"

#include <xgboost/c_api.h>

#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>

namespace cameo::autotune {

/// Rows of features; owns a copy of them.
class TreeRows {
public:
  explicit TreeRows(const std::vector<float> &values);
  ~TreeRows() { XGDMatrixFree(handle); }
  TreeRows(const TreeRows &) = delete;
  TreeRows &operator=(const TreeRows &) = delete;

  DMatrixHandle get() const { return handle; }
  size_t size() const { return count; }

private:
  DMatrixHandle handle = nullptr;
  size_t count;
};

class TreeEnsemble {
public:
  explicit TreeEnsemble(uint64_t seed);
  ~TreeEnsemble() { XGBoosterFree(handle); }
  TreeEnsemble(const TreeEnsemble &) = delete;
  TreeEnsemble &operator=(const TreeEnsemble &) = delete;

  /// Ends training; no more trees are added.
  void finish();
  /// Returns one value per row of `values`. The ensemble must be finished. Thread-safe.
  std::vector<float> predict(const std::vector<float> &values) const;
  /// Predicts the rows that the ensemble is trained on, during training: XGBoost caches the predictions of the earlier
  /// trees for them.
  std::vector<float> predict(const TreeRows &rows) const;
  /// Adds one tree, for the gradient and the second derivative of the loss in each row.
  void boost(const TreeRows &rows, std::vector<float> &gradient, std::vector<float> &hessian);

  /// Returns the trees in XGBoost's binary JSON format, which later versions of XGBoost also read.
  std::string toBytes() const;
  /// Loads trees in that format. Returns whether `bytes` is valid.
  bool fromBytes(std::string_view bytes);

private:
  BoosterHandle handle = nullptr;
  std::optional<DecisionTrees> trees; ///< set when finished; nothing if the output of XGBoost has an unknown form
  mutable std::mutex predicting;      ///< guards predictions by XGBoost
};

} // namespace cameo::autotune

#endif
