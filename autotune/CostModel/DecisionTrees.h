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
  /// One tree as XGBoost stores it: per node its children, what decides between them, and for a leaf, which has none,
  /// its value as the split.
  struct Columns {
    std::vector<int32_t> left, right, features;
    std::vector<float> splits;
  };

  /// None if `trees` are none, ask for more than `columns` features, or are deeper than their tables should be.
  static std::optional<DecisionTrees> create(const std::vector<Columns> &trees, size_t columns);

  /// One value per row of numbers: the sum over the trees, in their order, so that it has the bits that XGBoost
  /// computes.
  std::vector<float> predict(const std::vector<float> &values) const;

private:
  struct Node {
    float split;
    uint32_t column; ///< where its numbers begin in a chunk of rows
  };
  /// All leaves are at the same depth, below copies of nodes if need be. The children of node n, counted from 1, are
  /// 2n, where the feature is below the split, and 2n + 1; behind the nodes are the leaves.
  struct Tree {
    size_t nodes, leaves; ///< where node 0, which there is not, and the first leaf are
    uint32_t depth;
  };

  explicit DecisionTrees(size_t columns) : columns(columns) {}
  bool add(const Columns &tree);
  void addUp(const float *chunk, float *sums) const;

  std::vector<Node> nodes;
  std::vector<float> leaves;
  std::vector<Tree> trees;
  size_t columns;
};

/// The trees in a model that XGBoost wrote in its binary form of JSON; none where that holds something else.
std::vector<DecisionTrees::Columns> readTrees(std::string_view bytes);

} // namespace cameo::autotune

#endif
