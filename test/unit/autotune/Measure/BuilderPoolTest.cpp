// A builder that crashes or hangs costs its candidate and nothing else.
#include "autotune/Measure/BuilderPool.h"

#include "llvm/Support/Compiler.h"

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

std::vector<BuildResult> build(BuilderPool &pool, std::vector<std::string> schedules) {
  std::vector<BuildRequest> requests;
  for (std::string &schedule : schedules)
    requests.push_back({std::move(schedule), false, nullptr});
  return pool.build(std::make_shared<TaskSource>(), std::move(requests));
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
