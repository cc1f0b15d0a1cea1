#include "TestTasks.h"

#include "autotune/Features/ExtractFeatures.h"
#include "autotune/Features/MemoryTraffic.h"
#include "autotune/Space/Space.h"
#include "passes/Schedule/Rules/Complete/CompleteSchedules.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string>

using namespace cameo;
using namespace cameo::autotune;

namespace {

class FeaturesTest : public testing::Test {
protected:
  FeaturesTest() : task(tasks.get("matmul512")) {
    space = llvm::cantFail(Space::create(task.def, task.constantArguments, task.machine, 1, "SSRSRS"));
    state = space->defaultState();
  }

  const schedule::LoopNest &nest() const { return *space->nests(state).front().traits.nest; }
  /// Returns a schedule with loops over rows, columns and the reduction, in this order.
  schedule::NestSchedule tiled(int64_t rows, int64_t columns, int64_t steps) const {
    schedule::NestSchedule schedule;
    schedule.vectorDim = 1;
    schedule.lanes = 16;
    schedule.packedBuffers = {1};
    schedule.loops = {{0, rows}, {1, columns}, {2, steps}};
    return schedule;
  }
  float feature(const schedule::NestSchedule &schedule, Feature which) const {
    return FeatureExtractor(space->variant(state).program, task.machine, 1).extract(schedule).at(0, which);
  }

  TestTasks tasks;
  SearchTask task;
  std::unique_ptr<Space> space;
  State state;
};

TEST_F(FeaturesTest, EveryColumnHasANameOfItsOwn) {
  std::set<std::string> names;
  for (size_t column = 0; column < featureCount; ++column)
    names.insert(nameOf(static_cast<Feature>(column)));
  EXPECT_EQ(names.size(), featureCount);
}

TEST_F(FeaturesTest, AreOfTheLoopsThatAreEmitted) {
  // 512 terms exceed the limit of one running sum.
  schedule::NestSchedule asGiven = tiled(8, 32, 4), completed = asGiven;
  EXPECT_FALSE(asGiven.partialLoop);
  schedule::completeSchedules(space->variant(state).program, completed, task.machine);
  ASSERT_TRUE(completed.partialLoop);
  EXPECT_EQ(completed.loops.size(), asGiven.loops.size() + 1);
  EXPECT_EQ(feature(asGiven, Feature::Partial), 1);
  EXPECT_EQ(feature(asGiven, Feature::ReductionDepth), 2);
  for (size_t column = 0; column < featureCount; ++column)
    EXPECT_EQ(feature(asGiven, static_cast<Feature>(column)), feature(completed, static_cast<Feature>(column)))
        << nameOf(static_cast<Feature>(column));
}

TEST_F(FeaturesTest, FootprintsAreThoseOfTheTiles) {
  MemoryTraffic traffic(NestFacts(nest()), tiled(8, 32, 4), /*rowDims=*/0);
  ASSERT_EQ(traffic.depths(), 4U);
  EXPECT_EQ(traffic.footprint(0), 3 * 4 * 512.0 * 512);
  EXPECT_EQ(traffic.footprint(1), 4 * (8 * 512.0 + 512 * 512 + 8 * 512));
  EXPECT_EQ(traffic.footprint(2), 4 * (8 * 512.0 + 512 * 32 + 8 * 32));
  EXPECT_EQ(traffic.blockDepth(), 2U);
  EXPECT_EQ(traffic.trips(1), 64);
}

TEST_F(FeaturesTest, ACacheForAllReadsEverythingOnce) {
  MemoryTraffic traffic(NestFacts(nest()), tiled(8, 32, 4), /*rowDims=*/0);
  EXPECT_EQ(traffic.traffic(16 << 20), traffic.footprint(0));
  // The cache is too small for the packed operand, which is then read for every block of rows.
  EXPECT_GT(traffic.traffic(256 << 10), 64 * 4 * 512.0 * 512);
}

TEST_F(FeaturesTest, BlocksBeyondTheRegistersCostTime) {
  EXPECT_EQ(feature(tiled(8, 32, 4), Feature::Spilled), 0);
  EXPECT_GT(feature(tiled(16, 64, 4), Feature::Spilled), 0);
  EXPECT_LT(feature(tiled(8, 32, 4), Feature::NestCycles), feature(tiled(16, 64, 4), Feature::NestCycles));
  EXPECT_LT(feature(tiled(8, 32, 4), Feature::NestCycles), feature(tiled(1, 16, 4), Feature::NestCycles));
}

TEST_F(FeaturesTest, StepsThatAreCombinedFirstWaitOnce) {
  // A single running result is combined with eight steps at once, in 64 iterations of each of 512 x 32 blocks.
  EXPECT_NEAR(feature(tiled(1, 16, 8), Feature::LatencyCycles), std::log2(1 + 512.0 * 32 * 64 * 4), 1e-3);
  EXPECT_NEAR(feature(tiled(8, 32, 4), Feature::LatencyCycles), std::log2(1 + 64.0 * 16 * 512 * 4), 1e-3);
}

TEST_F(FeaturesTest, NoScheduleBeatsTheMultiplyAddUnits) {
  double least = std::log2(512.0 * 512 * 512 / 16 / 2);
  EXPECT_GE(feature(state.nests.front(), Feature::NestCycles), least);
  EXPECT_LT(feature(state.nests.front(), Feature::NestCycles), least + 1);
}

TEST_F(FeaturesTest, UnitsAndCachesAreThoseOfTheCore) {
  schedule::NestSchedule fits = tiled(8, 32, 4), rereads = tiled(1, 16, 4);
  float arithmetic = feature(fits, Feature::ArithmeticCycles), memory = feature(rereads, Feature::MemoryCycles);
  task.machine.multiplyAdds /= 2;
  EXPECT_NEAR(feature(fits, Feature::ArithmeticCycles), arithmetic + 1, 1e-3);
  task.machine.farBytesPerCycle *= 5;
  EXPECT_LT(feature(rereads, Feature::MemoryCycles), memory);
  // The first read of an element is from memory, also if later reads hit a cache.
  EXPECT_GE(feature(rereads, Feature::MemoryCycles), std::log2(1 + 4 * 512.0 * 512 / task.machine.memoryBytesPerCycle));
}

/// Returns a feature of the nest with the most work, for the default schedule on four threads.
float featureOfLargest(const SearchTask &task, Feature which) {
  auto space = llvm::cantFail(Space::create(task.def, task.constantArguments, task.machine, 4, "SSRSRS"));
  State state = space->defaultState();
  FeatureMatrix matrix = FeatureExtractor(space->variant(state).program, task.machine, 4).extract(state.nests);
  size_t largest = 0;
  for (size_t row = 1; row < matrix.rows(); ++row)
    if (matrix.at(row, Feature::Operations) > matrix.at(largest, Feature::Operations))
      largest = row;
  return matrix.at(largest, which);
}

TEST_F(FeaturesTest, ElementsALittleApartTakeFewerLoadsThanLanes) {
  auto loadsPerStep = [&](int64_t apart) {
    schedule::TaskProgram program = space->variant(state).program;
    for (schedule::Node &node : program.groups.front().nests.front().nodes)
      if (node.kind == schedule::Node::Kind::Load && node.buffer == 1)
        node.address.coefficients[1] = apart;
    schedule::NestSchedule schedule = tiled(8, 32, 4);
    schedule.packedBuffers.clear();
    return FeatureExtractor(program, task.machine, 1).extract(schedule).at(0, Feature::LoadsPerStep);
  };
  EXPECT_EQ(loadsPerStep(-1), loadsPerStep(1)); // the lanes are reversed by a shuffle, not by another load
  EXPECT_GT(loadsPerStep(2), loadsPerStep(1));
  EXPECT_LT(loadsPerStep(2), loadsPerStep(8));
  EXPECT_LT(loadsPerStep(8), loadsPerStep(9));
  EXPECT_EQ(loadsPerStep(9), loadsPerStep(512));
}

TEST_F(FeaturesTest, ThreadsShareRowsButNotIterationsInOrder) {
  EXPECT_EQ(featureOfLargest(tasks.get("softmax"), Feature::ParallelPieces), std::log2(1 + 64.0F));
  EXPECT_EQ(featureOfLargest(tasks.get("softmax"), Feature::Balance), 1);
  EXPECT_EQ(featureOfLargest(tasks.get("running_sum"), Feature::ParallelPieces), 1);
  EXPECT_EQ(featureOfLargest(tasks.get("running_sum"), Feature::Balance), 0.25);
}

TEST_F(FeaturesTest, EveryRowIsFinite) {
  Random random(3);
  for (const char *name : TestTasks::names()) {
    SearchTask each = tasks.get(name);
    auto spaceOfTask = llvm::cantFail(Space::create(each.def, each.constantArguments, each.machine, 2, "SSRSRS"));
    for (unsigned sample = 0; sample < 200; ++sample) {
      std::optional<State> drawn = spaceOfTask->sample(random);
      if (!drawn)
        continue;
      FeatureMatrix matrix =
          FeatureExtractor(spaceOfTask->variant(*drawn).program, each.machine, 2).extract(drawn->nests);
      ASSERT_EQ(matrix.rows(), drawn->nests.size());
      for (float value : matrix.values)
        ASSERT_TRUE(std::isfinite(value)) << name;
    }
  }
}

} // namespace
