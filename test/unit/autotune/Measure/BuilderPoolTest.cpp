// A builder that crashes or hangs costs its candidate and nothing else.
#include "autotune/Measure/BuilderPool.h"

#include "llvm/Support/Compiler.h"

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <gtest/gtest.h>
#include <thread>

using namespace cameo::autotune;

namespace {

BuildFunction makePlantedBuilder() {
  return [](const TaskSource &, const BuildRequest &request) -> BuildResult {
    if (request.schedule == "crash")
      LLVM_BUILTIN_TRAP;
    if (request.schedule == "hang")
      std::this_thread::sleep_for(std::chrono::hours(1));
    BuildResult result;
    result.image.weights = request.schedule;
    return result;
  };
}

std::vector<BuildRequest> requestsOf(std::vector<std::string> schedules) {
  std::vector<BuildRequest> requests;
  for (std::string &schedule : schedules)
    requests.push_back({std::move(schedule), false, nullptr});
  return requests;
}

std::vector<BuildResult> build(BuilderPool &pool, std::vector<std::string> schedules) {
  return pool.build(std::make_shared<TaskSource>(), requestsOf(std::move(schedules)));
}

TEST(BuilderPool, ResultsAreInTheOrderOfRequests) {
  BuilderPool pool(makePlantedBuilder, 3, 10);
  std::vector<std::string> schedules;
  for (int i = 0; i < 50; ++i)
    schedules.push_back(std::to_string(i));
  std::vector<BuildResult> results = build(pool, schedules);
  ASSERT_EQ(results.size(), schedules.size());
  for (size_t i = 0; i < results.size(); ++i)
    EXPECT_EQ(results[i].image.weights, schedules[i]);
}

TEST(BuilderPool, OnlySoManyBuildWhileAResultIsUsed) {
  for (unsigned beside : {0U, 1U}) {
    std::atomic<unsigned> building = 0, built = 0;
    auto makeBuilder = [&]() -> BuildFunction {
      return [&](const TaskSource &, const BuildRequest &request) {
        ++building;
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
        --building;
        ++built;
        BuildResult result;
        result.image.weights = request.schedule;
        return result;
      };
    };
    BuilderPool pool(makeBuilder, 3, 10);
    std::vector<std::string> used;
    pool.build(std::make_shared<TaskSource>(), requestsOf({"a", "b", "c", "d", "e", "f"}), beside, [&](size_t number, BuildResult result) {
      EXPECT_EQ(number, used.size());
      EXPECT_TRUE(beside > 0 || built == 6);
      for (int look = 0; look < 10; ++look) {
        EXPECT_LE(building, beside);
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }
      used.push_back(result.image.weights);
    });
    EXPECT_EQ(used, (std::vector<std::string>{"a", "b", "c", "d", "e", "f"}));
  }
}

TEST(BuilderPool, CrashesAndHangsAreTheirOwn) {
  BuilderPool pool(makePlantedBuilder, 2, 0.3);
  std::vector<BuildResult> results = build(pool, {"a", "crash", "hang", "b", "crash", "hang", "c"});
  ErrorKind none = ErrorKind::None, crashed = ErrorKind::CompileHost, hung = ErrorKind::BuildTimeout;
  ErrorKind expected[] = {none, crashed, hung, none, crashed, hung, none};
  for (auto [result, kind] : llvm::zip_equal(results, expected))
    EXPECT_EQ(result.error.kind, kind) << result.error.message;
  EXPECT_EQ(build(pool, {"d"}).front().image.weights, "d");
}

} // namespace
