// The gradient, with expected values computed by hand, and the choice of the next task.
#include "autotune/TaskScheduler/TaskScheduler.h"

#include <gtest/gtest.h>

using namespace cameo::autotune;

namespace {

TaskProgress progress(double weight, double flops, std::vector<double> history, std::string kind = "conv") {
  TaskProgress task;
  task.kind = std::move(kind);
  task.weight = weight;
  task.flops = flops;
  task.history = std::move(history);
  task.rounds = static_cast<unsigned>(task.history.size());
  if (!task.history.empty())
    task.bestSeconds = task.history.back();
  return task;
}

TEST(GradientScheduler, TheFirstRoundPromisesEverything) {
  // c / t = c, so the future is min(0, similar) - c; alone in its group, similar is beta * c.
  TaskProgress task = progress(3, 1e6, {0.010});
  EXPECT_DOUBLE_EQ(expectedGain(task, 0, {}), 3 * 0.8 * (0 - 0.010));
}

TEST(GradientScheduler, ThePastCountsAfterTheWindow) {
  // back = (4 - 10) / 3 ms; by rounds: 4 - 4/4 = 3 ms, below similar = 8 ms.
  TaskProgress task = progress(1, 1e6, {0.010, 0.008, 0.006, 0.004});
  EXPECT_NEAR(expectedGain(task, 0, {}), 0.2 * (-0.006 / 3) + 0.8 * (0.003 - 0.004), 1e-15);
}

TEST(GradientScheduler, ASimilarFasterTaskShowsWhatIsPossible) {
  // Ten times the speed of the first: it could take 2 * 1e6 / (1e6 / 1 ms) = 2 ms, less than 10 - 10/2 by rounds.
  TaskProgress tasks[] = {progress(1, 1e6, {0.010, 0.010}), progress(1, 1e6, {0.001, 0.001})};
  EXPECT_NEAR(expectedGain(tasks, 0, {}), 0.8 * (0.002 - 0.010), 1e-15);
  tasks[1].kind = "softmax";
  EXPECT_NEAR(expectedGain(tasks, 0, {}), 0.8 * (0.005 - 0.010), 1e-15);
}

TEST(GradientScheduler, OneThatStaysBehindLeavesItsGroup) {
  TaskProgress tasks[] = {progress(1, 1e6, std::vector<double>(8, 0.010)), progress(1, 1e6, {0.001, 0.001, 0.001})};
  EXPECT_FALSE(staysBehind(tasks, 0, {})) << "five rounds more than the other";
  tasks[0] = progress(1, 1e6, std::vector<double>(9, 0.010));
  EXPECT_TRUE(staysBehind(tasks, 0, {}));
  EXPECT_FALSE(staysBehind(tasks, 1, {}));
  tasks[0].leftGroup = true;
  EXPECT_NEAR(expectedGain(tasks, 0, {}), 0.8 * (0.010 - 0.010 / 9 - 0.010), 1e-15);
}

TEST(GradientScheduler, RoundsOfOneThatLeftKeepNoOtherInTheGroup) {
  TaskProgress tasks[] = {progress(1, 1e6, std::vector<double>(9, 0.010)),
                          progress(1, 1e6, std::vector<double>(9, 0.010)), progress(1, 1e6, {0.001, 0.001, 0.001})};
  EXPECT_FALSE(staysBehind(tasks, 1, {})) << "it had no more rounds than the first";
  tasks[0].leftGroup = true;
  EXPECT_TRUE(staysBehind(tasks, 1, {}));
}

TEST(TaskScheduler, FirstEveryTaskOnce) {
  for (llvm::StringRef strategy : taskSchedulerNames()) {
    auto scheduler = createTaskScheduler({.strategy = strategy.str()});
    TaskProgress tasks[] = {progress(1, 1e6, {0.1}), progress(1, 1e6, {}), progress(1, 1e6, {})};
    EXPECT_EQ(scheduler->next(tasks), 1u);
    tasks[1].rounds = 1;
    EXPECT_EQ(scheduler->next(tasks), 2u);
  }
}

TEST(TaskScheduler, FinishedTasksAreLeftAlone) {
  for (llvm::StringRef strategy : taskSchedulerNames()) {
    auto scheduler = createTaskScheduler({.strategy = strategy.str()});
    TaskProgress tasks[] = {progress(9, 1e6, {0.1}), progress(1, 1e6, {0.1})};
    tasks[0].isFinished = true;
    EXPECT_EQ(scheduler->next(tasks), 1u);
    tasks[1].isFinished = true;
    EXPECT_EQ(scheduler->next(tasks), std::nullopt);
  }
}

TEST(TaskScheduler, TheGradientPrefersWeightAndRoundRobinDoesNot) {
  TaskProgress tasks[] = {progress(1, 1e6, {0.1}), progress(5, 1e9, {0.1})};
  EXPECT_EQ(createTaskScheduler({})->next(tasks), 1u);
  EXPECT_EQ(createTaskScheduler({.strategy = "round-robin"})->next(tasks), 0u);
}

TEST(TaskScheduler, TheObjectiveIsOverTasksWithACost) {
  TaskProgress tasks[] = {progress(2, 1e6, {0.1}), progress(5, 1e9, {})};
  EXPECT_DOUBLE_EQ(objective(tasks), 0.2);
}

TEST(TaskScheduler, TheModelIsEstimatedWithTheSchedulesThatItUses) {
  TaskProgress tasks[] = {progress(2, 1e6, {0.1}), progress(5, 1e9, {0.3})};
  auto all = [](llvm::StringRef) { return true; };
  EXPECT_DOUBLE_EQ(estimateModel(tasks, 4, all), 0.2 + 1.5) << "nothing is known of the default schedules";
  tasks[0].key = "first";
  tasks[0].untunedSeconds = 0.2;
  tasks[1].untunedSeconds = 0.32;
  EXPECT_DOUBLE_EQ(estimateModel(tasks, 4, all), 4 * 1.7 / 2.0);
  EXPECT_DOUBLE_EQ(estimateModel(tasks, 4, [](llvm::StringRef key) { return key == "first"; }), 4 * 1.8 / 2.0);
  EXPECT_DOUBLE_EQ(estimateModel(tasks, 4, [](llvm::StringRef) { return false; }), 4);
  EXPECT_DOUBLE_EQ(estimateModel(tasks, 0, all), 1.7);
}

} // namespace
