// The guarantees of the thread pool, one test each. This file is also built with ThreadSanitizer, and with the wait on
// condition variables.
#include "cameo/runtime.h"

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <gtest/gtest.h>
#include <thread>
#include <vector>

namespace {

class Pool {
public:
  explicit Pool(int32_t threads) { status = cameo_thread_pool_create(threads, &pool); }
  ~Pool() { cameo_thread_pool_destroy(pool); }
  void parallelFor(cameo_kernel kernel, void *argument, int64_t extent) {
    void *const buffers[] = {argument, pool};
    cameo_thread_pool_parallel_for(pool, kernel, buffers, extent);
  }
  cameo_status status;
  cameo_thread_pool *pool = nullptr;
};

// Deliberately not atomic: ThreadSanitizer reports a piece that runs twice, or a result that is read too early.
void countVisits(void *const *buffers, int64_t begin, int64_t end) {
  auto *visits = static_cast<int *>(buffers[0]);
  for (int64_t i = begin; i < end; ++i)
    ++visits[i];
}

void noteThread(void *const *buffers, int64_t begin, int64_t end) {
  auto *ids = static_cast<std::thread::id *>(buffers[0]);
  for (int64_t i = begin; i < end; ++i) {
    ids[i] = std::this_thread::get_id();
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

void runNested(void *const *buffers, int64_t begin, int64_t end) {
  auto *visits = static_cast<int *>(buffers[0]);
  for (int64_t i = begin; i < end; ++i) {
    void *const inner[] = {visits + 10 * i};
    cameo_thread_pool_parallel_for(buffers[1], countVisits, inner, 10);
  }
}

void countCalls(void *const *buffers, int64_t, int64_t) { ++*static_cast<std::atomic<int> *>(buffers[0]); }

} // namespace

TEST(ThreadPool, VisitsEveryIterationOnce) {
  for (int threads : {1, 2, 3, 5}) {
    Pool pool(threads);
    ASSERT_EQ(pool.status, CAMEO_OK);
    for (int64_t extent : {1, 2, 3, 7, 8, 20, 56, 1000, 4099}) {
      std::vector<int> visits(extent);
      pool.parallelFor(countVisits, visits.data(), extent);
      EXPECT_EQ(visits, std::vector<int>(extent, 1)) << threads << " threads, extent " << extent;
    }
  }
}

TEST(ThreadPool, EmptyRangeCallsNothing) {
  Pool pool(2);
  std::atomic<int> calls = 0;
  pool.parallelFor(countCalls, &calls, 0);
  pool.parallelFor(countCalls, &calls, -5);
  EXPECT_EQ(calls, 0);
}

TEST(ThreadPool, ManyJobsInARow) {
  Pool pool(4);
  std::vector<int> visits(64);
  for (int i = 0; i < 20000; ++i)
    pool.parallelFor(countVisits, visits.data(), 64);
  EXPECT_EQ(visits, std::vector<int>(64, 20000));
}

TEST(ThreadPool, JobsAfterTheThreadsWentToSleep) {
  Pool pool(3);
  std::vector<int> visits(30);
  for (int i = 0; i < 50; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    pool.parallelFor(countVisits, visits.data(), 30);
  }
  EXPECT_EQ(visits, std::vector<int>(30, 50));
}

TEST(ThreadPool, UsesSeveralThreads) {
  Pool pool(2);
  std::vector<std::thread::id> ids(20);
  pool.parallelFor(noteThread, ids.data(), 20);
  int others = 0;
  for (std::thread::id id : ids)
    others += id != std::this_thread::get_id();
  EXPECT_GT(others, 0);
  EXPECT_LT(others, 20);
}

TEST(ThreadPool, ThreadsMeetTheSameIterationsAgain) {
  Pool pool(2);
  // If the machine does not run one thread for a while, the other one takes all pieces.
  bool isKept = false;
  for (int tries = 0; tries < 20 && !isKept; ++tries) {
    std::vector<std::thread::id> ids(8);
    pool.parallelFor(noteThread, ids.data(), 8);
    isKept = ids[0] == std::this_thread::get_id() && ids[3] == ids[0] && ids[4] != ids[0] && ids[7] == ids[4];
  }
  EXPECT_TRUE(isKept);
}

TEST(ThreadPool, CallersShareAPoolWithoutWaiting) {
  Pool pool(3);
  std::vector<std::vector<int>> visits(4, std::vector<int>(100));
  std::vector<std::thread> callers;
  for (auto &mine : visits)
    callers.emplace_back([&] {
      for (int i = 0; i < 2000; ++i)
        pool.parallelFor(countVisits, mine.data(), 100);
    });
  for (std::thread &caller : callers)
    caller.join();
  for (auto &mine : visits)
    EXPECT_EQ(mine, std::vector<int>(100, 2000));
}

TEST(ThreadPool, NestedCallRunsOnItsThread) {
  Pool pool(3);
  std::vector<int> visits(400);
  pool.parallelFor(runNested, visits.data(), 40);
  EXPECT_EQ(visits, std::vector<int>(400, 1));
}

TEST(ThreadPool, CreateAndDestroyWithoutAJob) {
  for (int i = 0; i < 50; ++i)
    EXPECT_EQ(Pool(4).status, CAMEO_OK);
}

TEST(ThreadPool, NullPoolIsTheCallerAlone) {
  std::vector<int> visits(9);
  void *const buffers[] = {visits.data()};
  cameo_thread_pool_parallel_for(nullptr, countVisits, buffers, 9);
  EXPECT_EQ(visits, std::vector<int>(9, 1));
  EXPECT_EQ(cameo_thread_pool_size(nullptr), 1);
  cameo_thread_pool_destroy(nullptr);
}

TEST(ThreadPool, RefusesBadCounts) {
  EXPECT_EQ(Pool(-1).status, CAMEO_INVALID_ARGUMENT);
  EXPECT_EQ(Pool(CAMEO_MAX_THREADS + 1).status, CAMEO_INVALID_ARGUMENT);
  EXPECT_EQ(cameo_thread_pool_create(1, nullptr), CAMEO_INVALID_ARGUMENT);
}

TEST(ThreadPool, SizeComesFromTheEnvironment) {
  setenv("CAMEO_NUM_THREADS", "3", 1);
  EXPECT_EQ(cameo_thread_pool_size(Pool(0).pool), 3);
  for (const char *bad : {"0", "-2", "two", "4x", "99999999999999999999"}) {
    setenv("CAMEO_NUM_THREADS", bad, 1);
    Pool pool(0);
    EXPECT_EQ(pool.status, CAMEO_INVALID_ARGUMENT) << bad;
    EXPECT_EQ(pool.pool, nullptr);
  }
  unsetenv("CAMEO_NUM_THREADS");
  EXPECT_GE(cameo_thread_pool_size(Pool(0).pool), 1);
}
