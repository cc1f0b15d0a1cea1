#include "TestTasks.h"

#include "autotune/Search/TrainModel.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace cameo;
using namespace cameo::autotune;

namespace {

/// Costs that follow from a schedule's tiles.
std::vector<KnownOutcome> outcomesOf(const SearchTask &task, unsigned count) {
  SearchOptions options;
  options.policy = "random";
  std::vector<KnownOutcome> outcomes;
  for (const Candidate &candidate : llvm::cantFail(createSearchPolicy(task, options))->propose(count)) {
    double cost = 1e-6;
    for (mlir::Attribute step : candidate.steps.getSteps())
      if (auto tile = llvm::dyn_cast<schedule::TileAttr>(step))
        cost *= 1 + std::abs(std::log2(static_cast<double>(tile.getSize())) - 3);
    outcomes.push_back({task.key, {candidate.steps, cost}});
  }
  return outcomes;
}

TEST(TrainModel, ReportsHowItOrdersWhatItHasNotSeen) {
  std::shared_ptr<CostModel> model = createCostModel("trees", 0);
  if (!model)
    GTEST_SKIP() << "this build has no XGBoost";
  TestTasks tasks;
  SearchTask task = tasks.get("matmul");
  std::vector<KnownOutcome> outcomes = outcomesOf(task, 300);
  TrainingReport report = trainModel(task, outcomes, *model, 1);
  EXPECT_EQ(report.samples, 300U);
  EXPECT_EQ(report.ignored, 0U);
  EXPECT_GT(report.heldOut, 30U);
  EXPECT_GT(report.accuracy, 0.75);
}

TEST(TrainModel, IgnoresWhatFitsNoTask) {
  TestTasks tasks;
  std::vector<KnownOutcome> outcomes = outcomesOf(tasks.get("matmul"), 10);
  for (KnownOutcome &outcome : outcomesOf(tasks.get("conv3x3"), 5))
    outcomes.push_back(outcome);
  std::shared_ptr<CostModel> model = createCostModel("analytic", 0);
  TrainingReport report = trainModel(tasks.get("matmul"), outcomes, *model, 1);
  EXPECT_EQ(report.samples, 10U);
  EXPECT_EQ(report.ignored, 5U);
}

} // namespace
