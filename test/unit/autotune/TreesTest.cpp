// The prediction of trees, compared with XGBoost's own: all implementations return the same bits.
#include "autotune/CostModel/TreeEnsemble.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

using namespace cameo::autotune;

namespace {

std::vector<float> randomRows(size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<float> values(count * featureCount);
  for (float &value : values)
    value = static_cast<float>(random()) * 0x1p-32f;
  return values;
}

/// Adds trees that learn a function of three features; the ensemble is not finished.
void grow(TreeEnsemble &ensemble, unsigned trees) {
  std::vector<float> values = randomRows(500, 1), gradient(500), hessian(500, 1);
  TreeRows rows(values);
  for (unsigned tree = 0; tree < trees; ++tree) {
    std::vector<float> said = tree > 0 ? ensemble.predict(rows) : std::vector<float>(500);
    for (size_t row = 0; row < 500; ++row) {
      const float *at = &values[row * featureCount];
      gradient[row] = said[row] - (at[0] * at[1] + std::sin(6 * at[2]));
    }
    ensemble.boost(rows, gradient, hessian);
  }
}

TEST(Trees, PredictTheBitsOfXGBoost) {
  // Numbers of rows that fill chunks, and numbers that do not.
  for (size_t count : {1, 7, 64, 65, 1000}) {
    TreeEnsemble ensemble(3);
    grow(ensemble, 40);
    std::vector<float> values = randomRows(count, 2), expected = ensemble.predict(TreeRows(values));
    ensemble.finish();
    EXPECT_EQ(ensemble.predict(values), expected);
  }
}

TEST(Trees, AreReadFromWhatXGBoostWrites) {
  TreeEnsemble ensemble(3);
  grow(ensemble, 5);
  std::vector<DecisionTrees::Columns> trees = readTrees(ensemble.toBytes());
  ASSERT_EQ(trees.size(), 5u);
  EXPECT_TRUE(DecisionTrees::create(trees, featureCount));
}

TEST(Trees, AreNotReadFromDamagedBytes) {
  TreeEnsemble ensemble(3);
  grow(ensemble, 2);
  const std::string bytes = ensemble.toBytes();
  for (size_t length = 0; length < bytes.size(); length += 97)
    EXPECT_TRUE(readTrees(std::string_view(bytes).substr(0, length)).empty());
  EXPECT_TRUE(readTrees(std::string(1000, '[')).empty());
}

TEST(Trees, OfWalksWithoutAnEndAreNone) {
  // The children of a node have higher numbers, and the nodes and features that it refers to exist.
  EXPECT_TRUE(DecisionTrees::create({{{1, -1, -1}, {2, -1, -1}, {0, 0, 0}, {0.5f, 1, 2}}}, 1));
  EXPECT_FALSE(DecisionTrees::create({{{0, -1, -1}, {2, -1, -1}, {0, 0, 0}, {0.5f, 1, 2}}}, 1));
  EXPECT_FALSE(DecisionTrees::create({{{1, -1, -1}, {3, -1, -1}, {0, 0, 0}, {0.5f, 1, 2}}}, 1));
  EXPECT_FALSE(DecisionTrees::create({{{1, -1, -1}, {-1, -1, -1}, {0, 0, 0}, {0.5f, 1, 2}}}, 1));
  EXPECT_FALSE(DecisionTrees::create({{{1, -1, -1}, {2, -1, -1}, {1, 0, 0}, {0.5f, 1, 2}}}, 1));
  EXPECT_FALSE(DecisionTrees::create({{{1, -1, -1}, {2, -1}, {0, 0, 0}, {0.5f, 1, 2}}}, 1));
}

/// Returns a chain of `depth` nodes, each with a leaf, and one leaf below all of them.
DecisionTrees::Columns chain(int32_t depth) {
  DecisionTrees::Columns tree;
  for (int32_t node = 0; node < depth; ++node) {
    tree.left.insert(tree.left.end(), {2 * node + 1, -1});
    tree.right.insert(tree.right.end(), {2 * node + 2, -1});
    tree.features.insert(tree.features.end(), {0, 0});
    tree.splits.insert(tree.splits.end(), {static_cast<float>(node), static_cast<float>(10 * node)});
  }
  tree.left.push_back(-1);
  tree.right.push_back(-1);
  tree.features.push_back(0);
  tree.splits.push_back(-1);
  return tree;
}

TEST(Trees, HaveLeavesAtAnyDepth) {
  std::vector<float> values, expected;
  for (int32_t leaf = 0; leaf < 7; ++leaf) {
    values.push_back(static_cast<float>(leaf) - 0.5f);
    expected.push_back(static_cast<float>(10 * leaf));
  }
  values.insert(values.end(), {6.5f, NAN});
  expected.insert(expected.end(), {-1, -1});
  std::optional<DecisionTrees> trees = DecisionTrees::create({chain(7)}, 1);
  ASSERT_TRUE(trees);
  EXPECT_EQ(trees->predict(values), expected) << "what is no number is below no split";
  EXPECT_EQ(DecisionTrees::create({chain(0)}, 1)->predict({1}), std::vector<float>{-1}) << "a leaf alone";
  EXPECT_FALSE(DecisionTrees::create({chain(40)}, 1)) << "2^40 places";
}

} // namespace
