#include "autotune/CostModel/TreeEnsemble.h"

#include <cassert>
#include <limits>

namespace cameo::autotune {

/// For calls that fail only because of a fault in this program.
static void check(int status) {
  assert(status == 0 && "XGBoost rejected its parameters");
  (void)status;
}

TreeRows::TreeRows(const std::vector<float> &values) : count(values.size() / featureCount) {
  check(XGDMatrixCreateFromMat(values.data(), count, featureCount, std::numeric_limits<float>::quiet_NaN(), &handle));
}

TreeEnsemble::TreeEnsemble(uint64_t seed) {
  check(XGBoosterCreate(nullptr, 0, &handle));
  // With one thread, sums of gradients have a fixed order, so that a seed determines the model.
  const std::string number = std::to_string(seed % (uint64_t(1) << 31)), columns = std::to_string(featureCount);
  const std::pair<const char *, const char *> parameters[] = {{"booster", "gbtree"},
                                                              {"tree_method", "hist"},
                                                              {"max_depth", "6"},
                                                              {"eta", "0.1"},
                                                              {"gamma", "0.001"},
                                                              {"min_child_weight", "0"},
                                                              {"base_score", "0"},
                                                              {"colsample_bytree", "0.7"},
                                                              {"nthread", "1"},
                                                              {"objective", "reg:squarederror"},
                                                              {"verbosity", "0"},
                                                              {"seed", number.c_str()},
                                                              {"num_feature", columns.c_str()}};
  for (auto [name, value] : parameters)
    check(XGBoosterSetParam(handle, name, value));
}

void TreeEnsemble::finish() {
  if (std::vector<DecisionTrees::Columns> found = readTrees(toBytes()); !found.empty())
    trees = DecisionTrees::create(found, featureCount);
}

std::vector<float> TreeEnsemble::predict(const std::vector<float> &values) const {
  if (trees)
    return trees->predict(values);
  std::lock_guard lock(predicting);
  return predict(TreeRows(values));
}

std::vector<float> TreeEnsemble::predict(const TreeRows &rows) const {
  constexpr int margin = 1;
  bst_ulong length = 0;
  const float *values = nullptr;
  check(XGBoosterPredict(handle, rows.get(), margin, 0, 0, &length, &values));
  return {values, values + length};
}

void TreeEnsemble::boost(const TreeRows &rows, std::vector<float> &gradient, std::vector<float> &hessian) {
  check(XGBoosterBoostOneIter(handle, rows.get(), gradient.data(), hessian.data(), gradient.size()));
}

std::string TreeEnsemble::toBytes() const {
  bst_ulong length = 0;
  const char *bytes = nullptr;
  check(XGBoosterSaveModelToBuffer(handle, R"({"format": "ubj"})", &length, &bytes));
  return {bytes, bytes + length};
}

bool TreeEnsemble::fromBytes(std::string_view bytes) {
  return XGBoosterLoadModelFromBuffer(handle, bytes.data(), bytes.size()) == 0;
}

} // namespace cameo::autotune
