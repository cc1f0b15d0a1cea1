// The walk through trees against XGBoost's own: the same bits, whoever makes the prediction.
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

/// Trees that learnt a law of three features, not finished.
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
  // Rows that fill chunks, and rows that do not; more threads than chunks.
  for (unsigned threads : {1u, 2u, 7u})
    for (size_t count : {1, 7, 64, 65, 1000}) {
      TreeEnsemble ensemble(3);
      grow(ensemble, 40);
      std::vector<float> values = randomRows(count, 2), expected = ensemble.predict(TreeRows(values));
      ensemble.finish(threads);
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
  // Each node's children are behind it, and all that a node names is there.
  EXPECT_TRUE(DecisionTrees::create({{{1, -1, -1}, {2, -1, -1}, {0, 0, 0}, {0.5f, 1, 2}}}, 1));
  EXPECT_FALSE(DecisionTrees::create({{{0, -1, -1}, {2, -1, -1}, {0, 0, 0}, {0.5f, 1, 2}}}, 1));
  EXPECT_FALSE(DecisionTrees::create({{{1, -1, -1}, {3, -1, -1}, {0, 0, 0}, {0.5f, 1, 2}}}, 1));
  EXPECT_FALSE(DecisionTrees::create({{{1, -1, -1}, {-1, -1, -1}, {0, 0, 0}, {0.5f, 1, 2}}}, 1));
  EXPECT_FALSE(DecisionTrees::create({{{1, -1, -1}, {2, -1, -1}, {1, 0, 0}, {0.5f, 1, 2}}}, 1));
  EXPECT_FALSE(DecisionTrees::create({{{1, -1, -1}, {2, -1}, {0, 0, 0}, {0.5f, 1, 2}}}, 1));
}

} // namespace
