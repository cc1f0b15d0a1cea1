#include "autotune/CostModel/DecisionTrees.h"

#include <algorithm>
#include <thread>

namespace cameo::autotune {

/// Rows whose features stay in the first-level cache while all trees are walked, and of these how many are walked together: each step of a walk waits for
/// the one before.
constexpr size_t chunkRows = 64, togetherRows = 8;

std::optional<DecisionTrees> DecisionTrees::create(const std::vector<Columns> &trees, size_t columns) {
  DecisionTrees made(columns);
  for (const Columns &tree : trees)
    if (!made.add(tree))
      return std::nullopt;
  return made;
}

/// False if `tree` is none. Children are behind their parents, so that a walk ends.
bool DecisionTrees::add(const Columns &tree) {
  size_t count = tree.left.size();
  if (count == 0 || tree.right.size() != count || tree.features.size() != count || tree.splits.size() != count)
    return false;
  const auto root = static_cast<uint32_t>(nodes.size());
  std::vector<uint32_t> depths(count);
  for (size_t number = 0; number < count; ++number) {
    int32_t left = tree.left[number], right = tree.right[number];
    const auto self = static_cast<uint32_t>(root + number);
    if (left < 0 && right < 0) {
      nodes.push_back({tree.splits[number], 0, {self, self}});
      continue;
    }
    for (int32_t child : {left, right}) {
      if (child <= static_cast<int64_t>(number) || child >= static_cast<int64_t>(count))
        return false;
      depths[child] = depths[number] + 1;
    }
    if (tree.features[number] < 0 || tree.features[number] >= static_cast<int64_t>(columns))
      return false;
    nodes.push_back({tree.splits[number], static_cast<uint32_t>(tree.features[number]),
                     {root + static_cast<uint32_t>(left), root + static_cast<uint32_t>(right)}});
  }
  trees.push_back({root, *std::max_element(depths.begin(), depths.end())});
  return true;
}

/// Adds what the trees say of at most chunkRows rows.
void DecisionTrees::addUp(const float *rows, size_t count, float *sums) const {
  for (const Tree &tree : trees)
    for (size_t first = 0; first < count; first += togetherRows) {
      const size_t together = std::min(togetherRows, count - first);
      uint32_t at[togetherRows];
      std::fill_n(at, togetherRows, tree.root);
      for (uint32_t step = 0; step < tree.depth; ++step)
        for (size_t row = 0; row < together; ++row) {
          const Node &node = nodes[at[row]];
          at[row] = node.next[!(rows[(first + row) * columns + node.feature] < node.split)];
        }
      for (size_t row = 0; row < together; ++row)
        sums[first + row] += nodes[at[row]].split;
    }
}

std::vector<float> DecisionTrees::predict(const std::vector<float> &values, unsigned threads) const {
  const size_t rows = values.size() / columns, chunks = (rows + chunkRows - 1) / chunkRows;
  std::vector<float> sums(rows);
  auto work = [&](size_t part, size_t parts) {
    for (size_t chunk = chunks * part / parts; chunk < chunks * (part + 1) / parts; ++chunk) {
      const size_t first = chunk * chunkRows;
      addUp(&values[first * columns], std::min(chunkRows, rows - first), &sums[first]);
    }
  };
  const size_t parts = std::clamp<size_t>(threads, 1, std::max<size_t>(chunks, 1));
  std::vector<std::thread> others;
  for (size_t part = 1; part < parts; ++part)
    others.emplace_back(work, part, parts);
  work(0, parts);
  for (std::thread &other : others)
    other.join();
  return sums;
}

} // namespace cameo::autotune
