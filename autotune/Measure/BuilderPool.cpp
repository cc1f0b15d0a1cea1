#include "autotune/Measure/BuilderPool.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/CrashRecoveryContext.h"

#include <chrono>
#include <condition_variable>
#include <thread>

namespace cameo::autotune {

using Clock = std::chrono::steady_clock;

/// What the pool and its threads know in common; guarded by `mutex`. Threads are detached: one that hangs cannot be joined.
struct BuilderPool::Shared {
  struct Item {
    BuildRequest request;
    BuildResult result;
    enum { Waiting, Building, Done } state = Waiting;
    Clock::time_point begin;
  };
  struct Batch {
    std::shared_ptr<const TaskSource> task;
    std::vector<Item> items;
    size_t next = 0, done = 0;
  };

  std::function<BuildFunction()> makeBuilder;
  std::mutex mutex;
  std::condition_variable work, progress;
  std::shared_ptr<Batch> batch;
  bool isClosed = false;
  unsigned alive = 0; ///< threads that were not given up
  unsigned building = 0, most = 0; ///< of these: how many build, and may

  static void run(std::shared_ptr<Shared> shared);
  bool takeItem(std::unique_lock<std::mutex> &lock, std::shared_ptr<Batch> &taken, size_t &index);
};

/// Waits for an item; false when the pool is closed.
bool BuilderPool::Shared::takeItem(std::unique_lock<std::mutex> &lock, std::shared_ptr<Batch> &taken, size_t &index) {
  work.wait(lock, [&] { return isClosed || (batch && batch->next < batch->items.size() && building < most); });
  if (isClosed)
    return false;
  taken = batch;
  index = batch->next++;
  ++building;
  taken->items[index].state = Item::Building;
  taken->items[index].begin = Clock::now();
  return true;
}

/// What a crash left of a builder cannot even be destroyed: it stays, and stays in reach of whoever looks for leaks.
static void leaveBehind(std::unique_ptr<BuildFunction> crashed) {
  static std::mutex mutex;
  static auto *left = new std::vector<BuildFunction *>;
  std::lock_guard lock(mutex);
  left->push_back(crashed.release());
}

void BuilderPool::Shared::run(std::shared_ptr<Shared> shared) {
  auto builder = std::make_unique<BuildFunction>(shared->makeBuilder());
  std::unique_lock lock(shared->mutex);
  std::shared_ptr<Batch> batch;
  for (size_t index = 0; shared->takeItem(lock, batch, index);) {
    Shared::Item &item = batch->items[index];
    BuildRequest request = item.request;
    lock.unlock();
    BuildResult result;
    llvm::CrashRecoveryContext recovery;
    if (!recovery.RunSafely([&] { result = (*builder)(*batch->task, request); })) {
      result = {{ErrorKind::CompileHost, "the compiler crashed"}, {}};
      leaveBehind(std::move(builder));
      builder = std::make_unique<BuildFunction>(shared->makeBuilder());
    }
    lock.lock();
    // Given up meanwhile: another thread is in this one's place.
    if (item.state == Item::Done)
      return;
    item.result = std::move(result);
    item.state = Item::Done;
    ++batch->done;
    --shared->building;
    shared->progress.notify_all();
  }
  lock.unlock();
  builder.reset();
  lock.lock();
  --shared->alive;
  shared->progress.notify_all();
}

BuilderPool::BuilderPool(std::function<BuildFunction()> makeBuilder, unsigned threads, double timeoutSeconds)
    : shared(std::make_shared<Shared>()), threads(threads), timeoutSeconds(timeoutSeconds) {
  llvm::CrashRecoveryContext::Enable();
  shared->makeBuilder = std::move(makeBuilder);
  for (unsigned i = 0; i < threads; ++i)
    startThread();
}

std::unique_ptr<BuilderPool> BuilderPool::create(const BuildOptions &options, unsigned threads, double timeoutSeconds) {
  auto makeBuilder = [&options]() -> BuildFunction {
    auto builder = std::make_shared<CandidateBuilder>(options);
    return [builder](const TaskSource &task, const BuildRequest &request) { return builder->build(task, request); };
  };
  return std::make_unique<BuilderPool>(makeBuilder, threads, timeoutSeconds);
}

BuilderPool::~BuilderPool() {
  std::unique_lock lock(shared->mutex);
  shared->isClosed = true;
  shared->work.notify_all();
  shared->progress.wait(lock, [&] { return shared->alive == 0; });
}

/// With the mutex held, or before there are threads.
void BuilderPool::startThread() {
  ++shared->alive;
  std::thread([shared = shared] { Shared::run(shared); }).detach();
}

/// Puts another thread in the place of each one that took too long. With the mutex held.
void BuilderPool::giveUpLate() {
  auto timeout = std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(timeoutSeconds));
  for (Shared::Item &item : shared->batch->items)
    if (item.state == Shared::Item::Building && Clock::now() - item.begin > timeout) {
      item.result = {{ErrorKind::BuildTimeout, "building took more than " + std::to_string(timeoutSeconds) + " s"}, {}};
      item.state = Shared::Item::Done;
      ++shared->batch->done;
      --shared->building;
      --shared->alive;
      startThread();
    }
}

void BuilderPool::waitFor(std::unique_lock<std::mutex> &lock, llvm::function_ref<bool()> condition) {
  while (!condition()) {
    shared->progress.wait_for(lock, std::chrono::milliseconds(100));
    giveUpLate();
  }
}

void BuilderPool::build(std::shared_ptr<const TaskSource> task, std::vector<BuildRequest> requests, unsigned beside,
                        llvm::function_ref<void(size_t, BuildResult)> use) {
  auto batch = std::make_shared<Shared::Batch>();
  batch->task = std::move(task);
  for (BuildRequest &request : requests)
    batch->items.push_back({std::move(request)});
  std::unique_lock lock(shared->mutex);
  shared->batch = batch;
  for (auto [number, item] : llvm::enumerate(batch->items)) {
    shared->most = threads;
    shared->work.notify_all();
    waitFor(lock, [&, &item = item] {
      return beside > 0 ? item.state == Shared::Item::Done : batch->done == batch->items.size();
    });
    shared->most = beside;
    waitFor(lock, [&] { return shared->building <= beside; });
    lock.unlock();
    use(number, std::move(item.result));
    lock.lock();
  }
  shared->batch = nullptr;
}

std::vector<BuildResult> BuilderPool::build(std::shared_ptr<const TaskSource> task, std::vector<BuildRequest> requests) {
  std::vector<BuildResult> results;
  build(std::move(task), std::move(requests), /*beside=*/0,
        [&](size_t, BuildResult result) { results.push_back(std::move(result)); });
  return results;
}

} // namespace cameo::autotune
