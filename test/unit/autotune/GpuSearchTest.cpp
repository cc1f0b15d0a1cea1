// Search over the schedules of a GPU, with an artificial cost instead of measurements.
#include "TestTasks.h"

#include "autotune/CostModel/CostModel.h"
#include "autotune/Search/SearchPolicy.h"
#include "passes/Schedule/Nests/Build/BuildNests.h"
#include "passes/Schedule/Steps/ScheduleSteps.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

using namespace cameo;
using namespace cameo::autotune;

namespace {

/// An artificial cost with one minimum, which is unrelated to the model of the rules.
double madeUpGpuCost(schedule::StepsAttr steps) {
  double cost = 1;
  unsigned number = 0;
  bool isUnrolled = false, isCached = false;
  for (mlir::Attribute step : steps.getSteps()) {
    if (auto tile = llvm::dyn_cast<schedule::TileAttr>(step))
      cost += std::abs(std::log2(static_cast<double>(tile.getSize())) - 4) * ++number;
    if (auto cache = llvm::dyn_cast<schedule::CacheAttr>(step)) {
      isCached = true;
      cost += std::abs(static_cast<double>(cache.getStages()) - 3);
    }
    isUnrolled |= llvm::isa<schedule::UnrollAttr>(step);
  }
  // Schedules without tiles are far slower.
  return !isCached ? 1e-3 : (cost + 3 * !isUnrolled) * 1e-6;
}

class GpuSearchTest : public testing::Test {
protected:
  SearchTask get(llvm::StringRef name) {
    SearchTask task = tasks.get(name);
    task.gpu = llvm::cantFail(findGpu("a100"));
    return task;
  }
  static std::unique_ptr<SearchPolicy> create(const SearchTask &task, llvm::StringRef policy = "evolutionary",
                                              uint64_t seed = 1, llvm::StringRef model = "") {
    SearchOptions options;
    options.model = model.empty() ? nullptr : createCostModel(model.str(), seed);
    options.policy = policy.str();
    options.seed = seed;
    return llvm::cantFail(createSearchPolicy(task, options));
  }
  /// Measures all proposals of `rounds` rounds, and returns their steps.
  static std::vector<schedule::StepsAttr> run(SearchPolicy &policy, unsigned rounds, unsigned count = 16) {
    std::vector<schedule::StepsAttr> all;
    for (unsigned round = 0; round < rounds; ++round) {
      std::vector<Outcome> outcomes;
      for (const Candidate &candidate : policy.propose(count)) {
        outcomes.push_back({candidate.steps, madeUpGpuCost(candidate.steps)});
        all.push_back(candidate.steps);
      }
      policy.observe(outcomes);
    }
    return all;
  }

  double meanOfBest(unsigned rounds, llvm::StringRef policy, llvm::StringRef model = "");

  TestTasks tasks;
};

TEST_F(GpuSearchTest, ProposesWhatFitsTheDeviceAndNothingTwice) {
  for (const char *name : TestTasks::names()) {
    SearchTask task = get(name);
    auto policy = createSearchPolicy(task, {});
    if (!policy) {
      ADD_FAILURE() << name << ": " << llvm::toString(policy.takeError());
      continue;
    }
    schedule::TaskProgram program = llvm::cantFail(schedule::buildNests(task.def, task.constantArguments));
    std::set<const void *> proposed;
    for (schedule::StepsAttr steps : run(**policy, 3)) {
      EXPECT_TRUE(proposed.insert(steps.getAsOpaquePointer()).second) << name;
      llvm::Error error = schedule::applySteps(steps, program, task.machine, task.gpu).takeError();
      EXPECT_FALSE(static_cast<bool>(error)) << name << ": " << llvm::toString(std::move(error));
    }
    EXPECT_FALSE(proposed.empty()) << name;
  }
}

TEST_F(GpuSearchTest, BeginsWithWhatTheRulesChoose) {
  Candidate first = create(get("matmul"))->propose(4).front();
  EXPECT_TRUE(first.isDefault);
  SearchOptions without;
  without.useDefaults = false;
  for (const Candidate &candidate : llvm::cantFail(createSearchPolicy(get("matmul"), without))->propose(32)) {
    EXPECT_FALSE(candidate.isDefault);
    EXPECT_NE(candidate.steps, first.steps);
  }
}

TEST_F(GpuSearchTest, IsTheSameForASeed) {
  auto first = create(get("conv3x3")), second = create(get("conv3x3")),
       other = create(get("conv3x3"), "evolutionary", /*seed=*/2);
  std::vector<schedule::StepsAttr> steps = run(*first, 3);
  EXPECT_EQ(steps, run(*second, 3));
  EXPECT_NE(steps, run(*other, 3));
}

/// Returns the cost of the fastest schedule after `rounds` rounds, as the mean over some seeds.
double GpuSearchTest::meanOfBest(unsigned rounds, llvm::StringRef policy, llvm::StringRef model) {
  constexpr uint64_t seeds = 16;
  double sum = 0;
  for (uint64_t seed = 1; seed <= seeds; ++seed) {
    double best = 1;
    for (schedule::StepsAttr steps : run(*create(get("matmul512"), policy, seed, model), rounds))
      best = std::min(best, madeUpGpuCost(steps));
    sum += best;
  }
  return sum / seeds;
}

TEST_F(GpuSearchTest, LearnsFromWhatWasMeasured) { EXPECT_LT(meanOfBest(6, "evolutionary"), meanOfBest(6, "random")); }

TEST_F(GpuSearchTest, AsksTheModelWhatToMeasure) {
  if (!createCostModel("trees", 1))
    GTEST_SKIP() << "XGBoost was missing when this was configured";
  double learnt = meanOfBest(3, "evolutionary");
  EXPECT_LT(learnt, meanOfBest(3, "evolutionary", "analytic"));
  EXPECT_LT(learnt, meanOfBest(3, "evolutionary", "random"));
}

TEST_F(GpuSearchTest, LearnsFromRecordsOfAnotherSession) {
  auto other = create(get("matmul512"), "random", /*seed=*/3), fresh = create(get("matmul512")),
       resumed = create(get("matmul512"));
  std::vector<Outcome> records;
  for (schedule::StepsAttr steps : run(*other, 4))
    records.push_back({steps, madeUpGpuCost(steps)});
  resumed->observe(records);
  auto meanCost = [](llvm::ArrayRef<Candidate> candidates) {
    double sum = 0;
    for (const Candidate &candidate : candidates)
      sum += std::log(madeUpGpuCost(candidate.steps));
    return sum / static_cast<double>(candidates.size());
  };
  std::vector<Candidate> proposed = resumed->propose(16);
  EXPECT_LT(meanCost(proposed), meanCost(fresh->propose(16)));
  for (const Outcome &record : records)
    EXPECT_TRUE(llvm::none_of(proposed, [&](const Candidate &candidate) { return candidate.steps == record.steps; }));
}

TEST_F(GpuSearchTest, ProposesSeedsThatFit) {
  SearchTask task = get("matmul");
  std::vector<Candidate> some = create(task)->propose(8);
  SearchOptions options;
  options.seeds = {
      schedule::parseSteps("#schedule.steps<#schedule.tile<nest = 0, dim = 0, size = 3>>", task.def->getContext()),
      some.back().steps};
  std::vector<Candidate> proposed = llvm::cantFail(createSearchPolicy(task, options))->propose(2);
  ASSERT_EQ(proposed.size(), 2U);
  EXPECT_EQ(proposed.back().steps, some.back().steps);
}

TEST_F(GpuSearchTest, SaysWhenASmallSpaceIsExhausted) {
  auto policy = create(get("elementwise"));
  unsigned total = 0;
  for (unsigned round = 0; round < 8 && !policy->isExhausted(); ++round)
    total += policy->propose(1000).size();
  EXPECT_TRUE(policy->isExhausted());
  EXPECT_GT(total, 1U);
}

TEST_F(GpuSearchTest, RefusesPoliciesOfProcessors) {
  SearchOptions options;
  options.policy = "genetic";
  EXPECT_EQ(llvm::toString(createSearchPolicy(get("matmul"), options).takeError()),
            "expected the policy evolutionary or random for a GPU, got 'genetic'");
}

} // namespace
