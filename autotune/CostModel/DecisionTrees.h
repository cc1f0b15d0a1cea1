// Decision trees as tables, for fast prediction of many rows.
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
  /// One tree as XGBoost stores it: for each node its children, its feature and its split value. A leaf has no
  /// children, and its value is stored as the split value.
  struct Columns {
    std::vector<int32_t> left, right, features;
    std::vector<float> splits;
  };

  /// Returns nothing if `trees` is empty, uses more than `columns` features, or has a tree that is too deep for a
  /// table.
  static std::optional<DecisionTrees> create(const std::vector<Columns> &trees, size_t columns);

  /// Returns one value per row: the sum over the trees, in their order, so that the result is bit-identical to that of
  /// XGBoost.
  std::vector<float> predict(const std::vector<float> &values) const;

private:
  struct Node {
    float split;
    uint32_t column; ///< offset of its values in a chunk of rows
  };
  /// A complete binary tree: nodes are copied downwards so that all leaves have the same depth. The children of node n,
  /// counted from 1, are 2n, if the feature is below the split value, and 2n + 1. The leaves follow the nodes.
  struct Tree {
    size_t nodes, leaves; ///< offsets of node 0, which does not exist, and of the first leaf
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

/// Reads the trees from a model in XGBoost's binary JSON format. Returns nothing if `bytes` holds anything else.
std::vector<DecisionTrees::Columns> readTrees(std::string_view bytes);

} // namespace cameo::autotune

#endif
