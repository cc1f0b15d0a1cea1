// If a builder crashes or hangs, only its candidate fails.
#include "autotune/Measure/BuilderPool.h"

#include "llvm/Support/Compiler.h"

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <future>
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
    pool.use(pool.begin(std::make_shared<TaskSource>(), requestsOf({"a", "b", "c", "d", "e", "f"})), beside,
             [&](size_t number, BuildResult result) {
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

/// The only thread is busy until all requests are queued.
TEST(BuilderPool, WhatIsAskedForGoesBeforeWhatWasBegun) {
  std::mutex mutex;
  std::vector<std::string> order;
  auto note = [&](const std::string &name) {
    std::lock_guard lock(mutex);
    order.push_back(name);
  };
  std::promise<void> isTaken, isOpen;
  auto makeBuilder = [&]() -> BuildFunction {
    return [&](const TaskSource &, const BuildRequest &request) {
      if (request.schedule == "first") {
        isTaken.set_value();
        isOpen.get_future().wait();
      }
      note(request.schedule);
      return BuildResult();
    };
  };
  BuilderPool pool(makeBuilder, 1, 10);
  auto source = std::make_shared<TaskSource>();
  pool.begin(source, requestsOf({"first"}));
  isTaken.get_future().wait();
  auto second = pool.begin(source, requestsOf({"second"}));
  pool.begin([&] {
    note("work");
    pool.begin(source, requestsOf({"third"}));
  });
  std::thread opener([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    isOpen.set_value();
  });
  pool.build(source, requestsOf({"asked for"}));
  opener.join();
  pool.use(second, /*beside=*/1, [](size_t, BuildResult) {});
  std::lock_guard lock(mutex);
  ASSERT_GE(order.size(), 4u);
  order.resize(4);
  EXPECT_EQ(order, (std::vector<std::string>{"first", "asked for", "work", "second"}));
}

TEST(BuilderPool, WorkTakesThePlaceOfABuildHoweverLongItTakes) {
  BuilderPool pool(makePlantedBuilder, 1, /*timeoutSeconds=*/0.05);
  std::promise<void> begins;
  std::atomic<bool> isDone = false;
  pool.begin([&] {
    begins.set_value();
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    isDone = true;
  });
  begins.get_future().wait();
  pool.runBeside(1, [&] { EXPECT_FALSE(isDone) << "one may be at work"; });
  pool.runBeside(0, [&] { EXPECT_TRUE(isDone) << "it was not given up"; });
  EXPECT_EQ(build(pool, {"a"}).front().image.weights, "a");
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
