// Trees that were grown, as tables: for predictions by the hundred thousand.
#ifndef CAMEO_AUTOTUNE_COSTMODEL_DECISIONTREES_H
#define CAMEO_AUTOTUNE_COSTMODEL_DECISIONTREES_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace cameo::autotune {

class DecisionTrees {
public:
  /// One tree as XGBoost stores it: per node its children, what decides between them, and for a leaf, which has none, its value as the split.
  struct Columns {
    std::vector<int32_t> left, right, features;
    std::vector<float> splits;
  };

  /// None if `trees` are none, or ask for more than `columns` features.
  static std::optional<DecisionTrees> create(const std::vector<Columns> &trees, size_t columns);

  /// One value per row of numbers: the sum over the trees, in their order, so that it has the bits that XGBoost computes. `threads` share the rows.
  std::vector<float> predict(const std::vector<float> &values, unsigned threads) const;

private:
  /// A node, or a leaf, which leads to itself and has its value as the split.
  struct Node {
    float split;
    uint32_t feature;
    uint32_t next[2]; ///< where the feature is below the split, and where it is not
  };
  struct Tree {
    uint32_t root, depth;
  };

  explicit DecisionTrees(size_t columns) : columns(columns) {}
  bool add(const Columns &tree);
  void addUp(const float *rows, size_t count, float *sums) const;

  std::vector<Node> nodes;
  std::vector<Tree> trees;
  size_t columns;
};

/// The trees in a model that XGBoost wrote in its binary form of JSON; none where that holds something else.
std::vector<DecisionTrees::Columns> readTrees(std::string_view bytes);

} // namespace cameo::autotune

#endif
