// The worker survives whatever a candidate does, and says what it was.
#include "PlantedImages.h"

#include "autotune/Measure/RunCandidate.h"

#include <chrono>
#include <cstring>

using namespace cameo;
using namespace cameo::autotune;

namespace {

RunResult timePlanted(CandidateRunner &runner, const std::string &fault) {
  return runner.time(plantedSource(), plantedImage(fault), /*repeats=*/3, /*bestSeconds=*/0);
}

CheckData someData() {
  Tensor x("x", CAMEO_FLOAT32, {4});
  for (auto [number, element] : llvm::enumerate(x.elements<float>()))
    element = static_cast<float>(number) + 1;
  return {1, {std::make_shared<const Tensor>(std::move(x))}};
}

TEST(RunCandidate, TimesASoundOne) {
  CandidateRunner runner(CAMEO_WORKER_PATH, quickPolicy());
  RunResult result = timePlanted(runner, "sound");
  EXPECT_EQ(result.error.kind, ErrorKind::None) << result.error.message;
  ASSERT_EQ(result.costs.size(), 3u);
  for (double cost : result.costs)
    EXPECT_TRUE(cost > 0 && cost < 0.1) << cost;
}

TEST(RunCandidate, ReturnsOutputs) {
  CandidateRunner runner(CAMEO_WORKER_PATH, quickPolicy());
  RunResult result = runner.run(plantedSource(), plantedImage("sound"), someData(), 1);
  ASSERT_EQ(result.error.kind, ErrorKind::None) << result.error.message;
  float outputs[4];
  ASSERT_GE(result.outputs.size(), sizeof(outputs));
  std::memcpy(outputs, result.outputs.data(), sizeof(outputs));
  for (int i = 0; i < 4; ++i)
    EXPECT_EQ(outputs[i], 2.0f * static_cast<float>(i + 1));
}

TEST(RunCandidate, EveryFaultIsItsErrorAndTheWorkerGoesOn) {
  CandidateRunner runner(CAMEO_WORKER_PATH, quickPolicy());
  const std::pair<const char *, ErrorKind> faults[] = {{"crashes", ErrorKind::Runtime},
                                                       {"hangs", ErrorKind::RunTimeout},
                                                       {"eats-memory", ErrorKind::Runtime},
                                                       {"refuses", ErrorKind::Runtime}};
  for (auto [fault, kind] : faults) {
    RunResult result = timePlanted(runner, fault);
    EXPECT_EQ(result.error.kind, kind) << fault << ": " << result.error.message;
    EXPECT_FALSE(result.error.message.empty()) << fault;
    EXPECT_EQ(timePlanted(runner, "sound").error.kind, ErrorKind::None) << "after one that " << fault;
  }
}

TEST(RunCandidate, RandomDataForAWholeModelIsKept) {
  MeasurementPolicy policy = quickPolicy();
  policy.rotationBytes = uint64_t(8) << 20;
  CandidateRunner runner(CAMEO_WORKER_PATH, policy);
  for (cameo_element_type type : {CAMEO_FLOAT32, CAMEO_INT8, CAMEO_FLOAT32}) {
    TaskSource source = plantedSource();
    source.weightsType = type;
    RunResult result = runner.time(source, plantedImage("sound"), /*repeats=*/3, /*bestSeconds=*/0);
    EXPECT_EQ(result.error.kind, ErrorKind::None) << result.error.message;
    EXPECT_EQ(result.costs.size(), 3u);
  }
}

TEST(RunCandidate, WeightsThatAreMadeLargerComeFromALargerModel) {
  MeasurementPolicy policy;
  policy.rotationBytes = 1000 * 64;
  policy.largestRotationBytes = 3000 * 64;
  TaskSource source;
  source.constantBytes = 100;
  auto bytesWith = [&](uint64_t weightBytes) {
    CandidateImage image;
    image.weightBytes = weightBytes;
    return rotationBytes(policy, source, image);
  };
  EXPECT_EQ(bytesWith(0), 1000u * 64);
  EXPECT_EQ(bytesWith(50), 1000u * 64) << "smaller ones";
  EXPECT_EQ(bytesWith(200), 2000u * 64);
  EXPECT_EQ(bytesWith(400), 3000u * 64) << "beyond all caches";
  policy.rotationBytes = 0;
  EXPECT_EQ(bytesWith(200), 0u) << "alone";
}

TEST(RunCandidate, WhatIsNoLibraryIsACompilerError) {
  CandidateRunner runner(CAMEO_WORKER_PATH, quickPolicy());
  CandidateImage image;
  image.library.assign(100, 'x');
  EXPECT_EQ(runner.time(plantedSource(), image, 3, 0).error.kind, ErrorKind::CompileHost);
}

TEST(RunCandidate, SlowOnesAreGivenUp) {
  MeasurementPolicy policy = quickPolicy();
  policy.minRepeatSeconds = 1e-12;
  CandidateRunner runner(CAMEO_WORKER_PATH, policy);
  RunResult result = runner.time(plantedSource(), plantedImage("sound"), /*repeats=*/20, /*bestSeconds=*/1e-12);
  EXPECT_EQ(result.error.kind, ErrorKind::None) << result.error.message;
  EXPECT_LE(result.costs.size(), 2u);
}

TEST(RunCandidate, ShortOnesAreMeasuredWellHoweverSlow) {
  MeasurementPolicy policy = quickPolicy();
  policy.minRepeatSeconds = 1e-2;
  CandidateRunner runner(CAMEO_WORKER_PATH, policy);
  RunResult result = runner.time(plantedSource(), plantedImage("sound"), /*repeats=*/3, /*bestSeconds=*/1e-12);
  EXPECT_EQ(result.error.kind, ErrorKind::None) << result.error.message;
  EXPECT_EQ(result.costs.size(), 3u);
}

TEST(RunCandidate, AWorkerThatIsNotThereIsAnErrorThatNamesIt) {
  CandidateRunner runner("/nonexistent/cameo-worker", quickPolicy());
  RunResult result = timePlanted(runner, "sound");
  EXPECT_EQ(result.error.kind, ErrorKind::Unknown);
  EXPECT_NE(result.error.message.find("/nonexistent/cameo-worker"), std::string::npos);
}

} // namespace
