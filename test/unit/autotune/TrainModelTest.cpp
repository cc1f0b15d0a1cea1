#include "TestTasks.h"

#include "autotune/Search/TrainModel.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace cameo;
using namespace cameo::autotune;

namespace {

/// Returns outcomes with costs that are a function of a schedule's tiles.
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
  ASSERT_EQ(report.tasks.size(), 1U);
  EXPECT_EQ(report.all.samples, 300U);
  EXPECT_EQ(report.ignored, 0U);
  EXPECT_GT(report.all.heldOut, 30U);
  EXPECT_GT(report.all.trained.accuracy, 0.75);
  EXPECT_GT(report.all.trained.correlation, 0.6);
  EXPECT_FALSE(report.all.newTask.has_value());
}

TEST(TrainModel, TriesModelsOnTasksThatTheyDidNotSee) {
  std::shared_ptr<CostModel> model = createCostModel("trees", 0);
  if (!model)
    GTEST_SKIP() << "this build has no XGBoost";
  TestTasks tasks;
  std::vector<SearchTask> several = {tasks.get("matmul"), tasks.get("matmul512")};
  std::vector<KnownOutcome> outcomes;
  for (const SearchTask &task : several)
    llvm::append_range(outcomes, outcomesOf(task, 200));
  TrainingReport report = trainModel(several, outcomes, *model, 1);
  ASSERT_EQ(report.tasks.size(), 2U);
  for (const TaskTraining &task : report.tasks) {
    ASSERT_TRUE(task.newTask.has_value()) << task.key;
    EXPECT_GT(task.newTask->accuracy, 0.55) << task.key;
    EXPECT_GT(task.trained.accuracy, task.newTask->accuracy) << task.key;
  }
}

TEST(TrainModel, IgnoresWhatFitsNoTask) {
  TestTasks tasks;
  std::vector<KnownOutcome> outcomes = outcomesOf(tasks.get("matmul"), 10);
  for (KnownOutcome &outcome : outcomesOf(tasks.get("conv3x3"), 5))
    outcomes.push_back(outcome);
  std::shared_ptr<CostModel> model = createCostModel("analytic", 0);
  TrainingReport report = trainModel(tasks.get("matmul"), outcomes, *model, 1);
  EXPECT_EQ(report.all.samples, 10U);
  EXPECT_EQ(report.ignored, 5U);
}

} // namespace
