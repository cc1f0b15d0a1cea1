// XGBoost's C API as values with owners.
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

  /// No more trees are added.
  void finish();
  /// One value per row of `values`, of an ensemble that is finished. Thread-safe.
  std::vector<float> predict(const std::vector<float> &values) const;
  /// The same for one that grows, of the rows that it grows on: XGBoost keeps what the earlier trees said of these.
  std::vector<float> predict(const TreeRows &rows) const;
  /// One more tree, along the gradient of a loss and its second derivative per row.
  void boost(const TreeRows &rows, std::vector<float> &gradient, std::vector<float> &hessian);

  /// The trees in XGBoost's binary form of JSON, which later versions of it read too.
  std::string toBytes() const;
  /// Whether `bytes` are such trees.
  bool fromBytes(std::string_view bytes);

private:
  BoosterHandle handle = nullptr;
  std::optional<DecisionTrees> trees; ///< once it is finished; none where XGBoost writes what is not understood here
  mutable std::mutex predicting;      ///< by XGBoost
};

} // namespace cameo::autotune

#endif
