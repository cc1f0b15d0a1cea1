// Features of schedules for a GPU.
#include "TestTasks.h"

#include "autotune/Features/GpuFeatures.h"
#include "passes/Schedule/Nests/Build/BuildNests.h"
#include "passes/Schedule/Rules/Gpu/ChooseBlockTile.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string>

using namespace cameo;
using namespace cameo::autotune;
using namespace cameo::schedule;

namespace {

class GpuFeaturesTest : public testing::Test {
protected:
  const GpuMachine &gpu = *llvm::cantFail(findGpu("a100"));

  TaskProgram programOf(llvm::StringRef name) {
    SearchTask task = tasks.get(name);
    return llvm::cantFail(buildNests(task.def, task.constantArguments));
  }
  static float at(const FeatureMatrix &matrix, GpuFeature feature, size_t row = 0) {
    return matrix.values[row * featureCount + static_cast<size_t>(feature)];
  }
  static double count(const FeatureMatrix &matrix, GpuFeature feature) { return std::exp2(at(matrix, feature)) - 1; }

  TestTasks tasks;
};

TEST_F(GpuFeaturesTest, AllHaveNamesOfTheirOwn) {
  std::set<std::string> names;
  for (unsigned number = 0; number < static_cast<unsigned>(GpuFeature::Count); ++number)
    EXPECT_TRUE(names.insert(nameOf(static_cast<GpuFeature>(number))).second);
}

TEST_F(GpuFeaturesTest, CountsWhatTilesAreMadeOf) {
  TaskProgram program = programOf("matmul512");
  const LoopNest &nest = program.groups.front().nests.front();
  GpuFeatureExtractor extractor(program, gpu);
  size_t tiles = 0;
  for (const BlockTileOption &option : blockTileOptions(program, nest, gpu)) {
    FeatureMatrix row = extractor.extract(GpuFeatureExtractor::NestChoice{&option.schedule, option.cycles});
    const BlockShape &shape = option.shape;
    int64_t points = shape.threadRows * shape.threadColumns, blocks = 512 * 512 / (shape.rows * shape.columns);
    // Only tiles without points beyond the edges.
    if (512 % shape.rows != 0 || 512 % shape.columns != 0)
      continue;
    ++tiles;
    EXPECT_EQ(at(row, GpuFeature::IsTiled), 1);
    EXPECT_NEAR(count(row, GpuFeature::Blocks), blocks * option.splits, 0.5);
    EXPECT_NEAR(count(row, GpuFeature::Threads), shape.rows * shape.columns / points, 0.5);
    EXPECT_NEAR(count(row, GpuFeature::ThreadPoints), points, 0.01);
    EXPECT_NEAR(count(row, GpuFeature::FetchedSteps), shape.depth, 0.01);
    EXPECT_NEAR(count(row, GpuFeature::Fetches), 512 / shape.depth / option.splits, 0.01);
    EXPECT_EQ(at(row, GpuFeature::Stages), option.schedule.threads.stages);
    EXPECT_EQ(at(row, GpuFeature::EdgeUse), 1);
    EXPECT_NEAR(std::exp2(row.at(0, Feature::NestCycles)) - 1, option.cycles, 1e-4 * option.cycles);
  }
  EXPECT_GT(tiles, 100U);
}

/// The estimate also covers schedules that the rules' model does not: a product with one thread per point is slower
/// than with tiles.
TEST_F(GpuFeaturesTest, EstimatesWhatHasNoTile) {
  TaskProgram program = programOf("matmul512");
  const NestGroup &group = program.groups.front();
  GpuFeatureExtractor extractor(program, gpu);
  double tile = blockTileOptions(program, group.nests.front(), gpu).front().cycles;
  for (const BlockTileOption &option : blockTileOptions(program, group.nests.front(), gpu))
    tile = std::min(tile, option.cycles);
  for (const ThreadSchedule &plain : plainOptions(group, group.nests.front())) {
    FeatureMatrix row = extractor.extract(GpuFeatureExtractor::NestChoice{&plain, std::nullopt});
    EXPECT_EQ(at(row, GpuFeature::IsTiled), 0);
    EXPECT_GT(std::exp2(row.at(0, Feature::TaskCycles)), tile);
    EXPECT_LT(std::exp2(row.at(0, Feature::TaskCycles)), 1e4 * tile);
  }
}

TEST_F(GpuFeaturesTest, AreFiniteNumbersOfAllTasks) {
  for (const char *name : TestTasks::names()) {
    SearchTask task = tasks.get(name);
    llvm::Expected<TaskProgram> program = buildNests(task.def, task.constantArguments);
    ASSERT_TRUE(static_cast<bool>(program)) << name;
    std::vector<ThreadSchedule> defaults;
    for (const NestGroup &group : program->groups)
      for (const LoopNest &nest : group.nests)
        defaults.push_back(defaultSchedule(*program, group, nest, gpu));
    std::vector<GpuFeatureExtractor::NestChoice> choices;
    for (const ThreadSchedule &schedule : defaults)
      choices.push_back({&schedule, std::nullopt});
    FeatureMatrix matrix = GpuFeatureExtractor(*program, gpu).extract(choices);
    EXPECT_EQ(matrix.rows(), defaults.size());
    for (float value : matrix.values)
      EXPECT_TRUE(std::isfinite(value)) << name;
    EXPECT_GT(matrix.at(0, Feature::TaskCycles), 0) << name;
  }
}

} // namespace
