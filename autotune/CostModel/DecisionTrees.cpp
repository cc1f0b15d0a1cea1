#include "autotune/CostModel/DecisionTrees.h"

#include <algorithm>

namespace cameo::autotune {

/// Number of rows whose features stay in the first-level cache while all trees are evaluated, and number of rows that
/// are evaluated together, because each step in a tree waits for the one before.
constexpr size_t chunkRows = 64, togetherRows = 8;
/// Limit of the depth, because a tree of depth d takes 2^d places, however few leaves it has.
constexpr uint32_t maxDepth = 12;

std::optional<DecisionTrees> DecisionTrees::create(const std::vector<Columns> &trees, size_t columns) {
  DecisionTrees made(columns);
  for (const Columns &tree : trees)
    if (!made.add(tree))
      return std::nullopt;
  return made;
}

/// Adds a tree. Returns false if `tree` is invalid. Children must follow their parents, so that each evaluation ends.
bool DecisionTrees::add(const Columns &tree) {
  const size_t count = tree.left.size();
  if (count == 0 || tree.right.size() != count || tree.features.size() != count || tree.splits.size() != count)
    return false;
  std::vector<uint32_t> depths(count);
  auto isLeaf = [&](size_t number) { return tree.left[number] < 0 && tree.right[number] < 0; };
  for (size_t number = 0; number < count; ++number) {
    if (isLeaf(number))
      continue;
    for (int32_t child : {tree.left[number], tree.right[number]}) {
      if (child <= static_cast<int64_t>(number) || child >= static_cast<int64_t>(count))
        return false;
      depths[child] = depths[number] + 1;
    }
    if (tree.features[number] < 0 || tree.features[number] >= static_cast<int64_t>(columns))
      return false;
  }
  const uint32_t depth = *std::max_element(depths.begin(), depths.end());
  if (depth > maxDepth)
    return false;
  trees.push_back({nodes.size(), leaves.size(), depth});
  // The nodes at the places of a level. A leaf is repeated below itself.
  std::vector<size_t> level = {0};
  nodes.push_back({0, 0});
  for (uint32_t step = 0; step < depth; ++step) {
    std::vector<size_t> below;
    for (size_t number : level) {
      const bool ends = isLeaf(number);
      nodes.push_back(
          {ends ? 0 : tree.splits[number], ends ? 0 : static_cast<uint32_t>(tree.features[number] * chunkRows)});
      below.push_back(ends ? number : tree.left[number]);
      below.push_back(ends ? number : tree.right[number]);
    }
    level = std::move(below);
  }
  for (size_t number : level)
    leaves.push_back(tree.splits[number]);
  return true;
}

/// Adds the values of all trees for the rows of a chunk. The values of a feature are contiguous.
void DecisionTrees::addUp(const float *chunk, float *sums) const {
  for (const Tree &tree : trees) {
    const Node *at = &nodes[tree.nodes];
    const float *values = &leaves[tree.leaves] - (size_t(1) << tree.depth);
    for (size_t first = 0; first < chunkRows; first += togetherRows) {
      size_t number[togetherRows];
      std::fill_n(number, togetherRows, 1);
      for (uint32_t step = 0; step < tree.depth; ++step)
        for (size_t row = 0; row < togetherRows; ++row) {
          const Node node = at[number[row]];
          number[row] = 2 * number[row] + !(chunk[node.column + first + row] < node.split);
        }
      for (size_t row = 0; row < togetherRows; ++row)
        sums[first + row] += values[number[row]];
    }
  }
}

std::vector<float> DecisionTrees::predict(const std::vector<float> &values) const {
  const size_t rows = values.size() / columns;
  std::vector<float> said(rows), chunk(columns * chunkRows);
  for (size_t first = 0; first < rows; first += chunkRows) {
    const size_t count = std::min(chunkRows, rows - first);
    for (size_t row = 0; row < count; ++row)
      for (size_t column = 0; column < columns; ++column)
        chunk[column * chunkRows + row] = values[(first + row) * columns + column];
    float sums[chunkRows] = {};
    addUp(chunk.data(), sums);
    std::copy_n(sums, count, &said[first]);
  }
  return said;
}

} // namespace cameo::autotune
