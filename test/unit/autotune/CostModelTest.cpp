#include "autotune/CostModel/CostModel.h"
#include "autotune/Space/Random.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <string>

using namespace cameo::autotune;

namespace {

/// Returns samples whose costs follow a rule that a model can learn: tall blocks and much traffic cost time, and the
/// costs of two nests add up. The analytic estimate ignores the traffic.
std::vector<Sample> samplesOf(const std::string &task, unsigned count, uint64_t seed) {
  Random random(seed);
  std::vector<Sample> samples;
  for (unsigned number = 0; number < count; ++number) {
    Sample sample{task, {}, 0};
    sample.features.values.resize(2 * featureCount);
    for (float &value : sample.features.values)
      value = static_cast<float>(random.uniform());
    double cycles = 0;
    for (size_t row = 0; row < 2; ++row) {
      double estimate = 1 + 4 * std::abs(sample.features.at(row, Feature::BlockTotal) - 0.6);
      sample.features.values[row * featureCount + static_cast<size_t>(Feature::NestCycles)] =
          static_cast<float>(std::log2(1 + estimate));
      cycles += estimate + 3 * sample.features.at(row, Feature::SecondLevelTraffic);
    }
    sample.costSeconds = cycles * 1e-6;
    samples.push_back(std::move(sample));
  }
  return samples;
}

std::vector<double> predict(const CostModel &model, const std::vector<Sample> &samples) {
  std::vector<const FeatureMatrix *> schedules;
  for (const Sample &sample : samples)
    schedules.push_back(&sample.features);
  return model.predict(schedules);
}

class TreesTest : public testing::Test {
protected:
  void SetUp() override {
    model = createCostModel("trees", 1);
    if (!model)
      GTEST_SKIP() << "this build has no XGBoost";
  }

  std::shared_ptr<CostModel> model;
};

TEST_F(TreesTest, OrdersUnseenSchedulesAfter300) {
  model->update(samplesOf("a", 300, 1));
  EXPECT_GE(pairwiseAccuracy(*model, samplesOf("a", 200, 2), 0.01), 0.85);
}

TEST_F(TreesTest, TransfersBetweenTasksOfDifferentSpeed) {
  std::vector<Sample> slow = samplesOf("slow", 300, 1);
  for (Sample &sample : slow)
    sample.costSeconds *= 1000;
  model->update(slow);
  model->update(samplesOf("fast", 30, 2));
  EXPECT_GE(pairwiseAccuracy(*model, samplesOf("fast", 200, 3), 0.01), 0.8);
}

TEST_F(TreesTest, ASeedGivesOneModel) {
  std::shared_ptr<CostModel> other = createCostModel("trees", 1);
  for (CostModel *each : {model.get(), other.get()})
    each->update(samplesOf("a", 100, 1));
  EXPECT_EQ(predict(*model, samplesOf("a", 50, 2)), predict(*other, samplesOf("a", 50, 2)));
}

TEST_F(TreesTest, FailuresScoreLow) {
  std::vector<Sample> samples = samplesOf("a", 300, 1);
  for (Sample &sample : samples)
    if (sample.features.at(0, Feature::Spilled) > 0.5F)
      sample.costSeconds = 0;
  model->update(samples);
  double failing = 0, working = 0;
  std::vector<Sample> unseen = samplesOf("a", 200, 2);
  std::vector<double> scores = predict(*model, unseen);
  for (size_t number = 0; number < unseen.size(); ++number)
    (unseen[number].features.at(0, Feature::Spilled) > 0.5F ? failing : working) += scores[number];
  EXPECT_LT(failing, working);
}

TEST_F(TreesTest, SavesAndLoads) {
  std::string path = testing::TempDir() + "cameo-trees.model";
  model->update(samplesOf("a", 100, 1));
  ASSERT_EQ(model->save(path), "");
  std::shared_ptr<CostModel> loaded = createCostModel("trees", 1);
  ASSERT_EQ(loaded->load(path), "");
  std::vector<Sample> unseen = samplesOf("a", 50, 2);
  EXPECT_EQ(predict(*loaded, unseen), predict(*model, unseen));
  // Later measurements update the loaded model.
  loaded->update(samplesOf("b", 100, 3));
  EXPECT_NE(predict(*loaded, unseen), predict(*model, unseen));
  ASSERT_EQ(loaded->save(path), "");
  std::shared_ptr<CostModel> again = createCostModel("trees", 1);
  ASSERT_EQ(again->load(path), "");
  EXPECT_EQ(predict(*again, unseen), predict(*loaded, unseen));
}

TEST_F(TreesTest, RefusesFilesThatAreNoModel) {
  std::string path = testing::TempDir() + "cameo-no.model";
  std::ofstream(path) << "{}";
  EXPECT_NE(model->load(path).find(path), std::string::npos);
  EXPECT_NE(model->load("/nowhere/trees.model").find("/nowhere/trees.model"), std::string::npos);
}

TEST_F(TreesTest, RefusesDamagedFilesAndOtherFeatures) {
  std::string path = testing::TempDir() + "cameo-damaged.model";
  model->update(samplesOf("a", 100, 1));
  ASSERT_EQ(model->save(path), "");
  std::ifstream file(path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  std::string damaged = bytes, other = bytes;
  damaged[bytes.size() / 2] ^= 1;
  other.replace(0, bytes.find(", hash"), "cameo cost model, features 999");
  EXPECT_EQ(model->loadBytes("x", bytes), "");
  EXPECT_EQ(model->loadBytes("x", damaged), "x: expected data that matches the first line: the file is damaged");
  EXPECT_EQ(model->loadBytes("x", bytes.substr(0, bytes.size() - 9)),
            "x: expected data that matches the first line: the file is damaged");
  EXPECT_EQ(model->loadBytes("x", other),
            "x: expected a model for version " + std::to_string(featureVersion) + " of the features, got 999");
}

TEST(CostModel, RankCorrelationIsThatOfSpearman) {
  std::shared_ptr<CostModel> model = createCostModel("analytic", 0);
  // Scores are 0, -1, -2, -2: the last two share a rank.
  const double cycles[] = {0, 1, 2, 2}, costs[] = {1, 3, 2, 4};
  std::vector<Sample> samples(4);
  for (size_t number = 0; number < samples.size(); ++number) {
    samples[number].features.values.resize(featureCount);
    samples[number].features.values[static_cast<size_t>(Feature::TaskCycles)] = static_cast<float>(cycles[number]);
    samples[number].costSeconds = costs[number];
  }
  // Ranks 3, 2, 0.5, 0.5 and 3, 1, 2, 0.
  EXPECT_NEAR(rankCorrelation(*model, samples), 3 / std::sqrt(4.5 * 5), 1e-12);
}

TEST(CostModel, PairwiseAccuracyCountsOrderedPairs) {
  std::shared_ptr<CostModel> model = createCostModel("analytic", 0);
  std::vector<Sample> samples(3);
  for (size_t number = 0; number < samples.size(); ++number) {
    samples[number].task = "a";
    samples[number].features.values.resize(featureCount);
    samples[number].features.values[static_cast<size_t>(Feature::TaskCycles)] = static_cast<float>(number);
    samples[number].costSeconds = 1.0 + static_cast<double>(number);
  }
  EXPECT_EQ(pairwiseAccuracy(*model, samples, 0.01), 1);
  std::swap(samples[0].costSeconds, samples[2].costSeconds);
  EXPECT_EQ(pairwiseAccuracy(*model, samples, 0.01), 0);
  samples[2].task = "b";
  EXPECT_EQ(pairwiseAccuracy(*model, samples, 0.01), 0);
}

TEST(CostModel, RandomScoresDependOnTheSeedAlone) {
  std::vector<Sample> samples = samplesOf("a", 20, 1);
  EXPECT_EQ(predict(*createCostModel("random", 1), samples), predict(*createCostModel("random", 1), samples));
  EXPECT_NE(predict(*createCostModel("random", 1), samples), predict(*createCostModel("random", 2), samples));
}

} // namespace
