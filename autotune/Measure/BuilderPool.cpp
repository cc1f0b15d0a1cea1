#include "autotune/Measure/BuilderPool.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/CrashRecoveryContext.h"

#include <chrono>
#include <condition_variable>
#include <deque>
#include <thread>

namespace cameo::autotune {

using Clock = std::chrono::steady_clock;

struct BuilderPool::Batch {
  struct Item {
    BuildRequest request;
    BuildResult result;
    enum { Waiting, Building, Done } state = Waiting;
    Clock::time_point begin;
  };
  Batch(std::shared_ptr<const TaskSource> task, std::vector<BuildRequest> requests) : task(std::move(task)) {
    for (BuildRequest &request : requests)
      items.push_back({std::move(request)});
  }
  explicit Batch(std::function<void()> work) : items(1), work(std::move(work)) {}

  std::shared_ptr<const TaskSource> task;
  std::vector<Item> items;
  std::function<void()> work; ///< for a batch that is not a build; it has a single item
  size_t next = 0, done = 0;
};

/// The state that the pool and its threads share; guarded by `mutex`. Threads are detached, because a thread that hangs
/// cannot be joined.
struct BuilderPool::Shared {
  std::function<BuildFunction()> makeBuilder;
  std::mutex mutex;
  std::condition_variable work, progress;
  std::deque<std::shared_ptr<Batch>> batches; ///< unfinished batches, in the order of work
  bool isClosed = false;
  unsigned alive = 0;              ///< number of threads that were not abandoned
  unsigned building = 0, most = 0; ///< number of these that build, and their limit

  static void run(std::shared_ptr<Shared> shared);
  bool takeItem(std::unique_lock<std::mutex> &lock, std::shared_ptr<Batch> &taken, size_t &index);
  void finish(Batch &batch, size_t index, BuildResult result);
};

/// Waits for an item. Returns false when the pool is closed.
bool BuilderPool::Shared::takeItem(std::unique_lock<std::mutex> &lock, std::shared_ptr<Batch> &taken, size_t &index) {
  auto isOpen = [](const std::shared_ptr<Batch> &batch) { return batch->next < batch->items.size(); };
  work.wait(lock, [&] { return isClosed || (building < most && llvm::any_of(batches, isOpen)); });
  if (isClosed)
    return false;
  taken = *llvm::find_if(batches, isOpen);
  index = taken->next++;
  ++building;
  taken->items[index].state = Batch::Item::Building;
  taken->items[index].begin = Clock::now();
  return true;
}

void BuilderPool::Shared::finish(Batch &batch, size_t index, BuildResult result) {
  batch.items[index].result = std::move(result);
  batch.items[index].state = Batch::Item::Done;
  --building;
  if (++batch.done == batch.items.size())
    llvm::erase_if(batches, [&](const std::shared_ptr<Batch> &each) { return each.get() == &batch; });
}

/// Keeps a builder that crashed: it cannot be destroyed safely, and must stay reachable for leak checkers.
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
    BuildRequest request = batch->items[index].request;
    lock.unlock();
    BuildResult result;
    llvm::CrashRecoveryContext recovery;
    if (batch->work) {
      batch->work();
    } else if (!recovery.RunSafely([&] { result = (*builder)(*batch->task, request); })) {
      result = {{ErrorKind::CompileHost, "the compiler crashed"}, {}};
      leaveBehind(std::move(builder));
      builder = std::make_unique<BuildFunction>(shared->makeBuilder());
    }
    lock.lock();
    // The item timed out, and another thread has replaced this one.
    if (batch->items[index].state == Batch::Item::Done)
      return;
    shared->finish(*batch, index, std::move(result));
    shared->progress.notify_all();
    shared->work.notify_one();
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
  shared->most = threads;
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

/// The mutex must be held, unless there are no threads yet.
void BuilderPool::startThread() {
  ++shared->alive;
  std::thread([shared = shared] { Shared::run(shared); }).detach();
}

/// Replaces each thread that exceeds the time limit by a new one. The mutex must be held.
void BuilderPool::giveUpLate() {
  auto timeout = std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(timeoutSeconds));
  auto isLate = [&](const Batch::Item &item) {
    return item.state == Batch::Item::Building && Clock::now() - item.begin > timeout;
  };
  for (const std::shared_ptr<Batch> &batch : std::deque(shared->batches))
    for (size_t index = 0; index < batch->items.size() && !batch->work; ++index)
      if (isLate(batch->items[index])) {
        shared->finish(
            *batch, index,
            {{ErrorKind::BuildTimeout, "building took more than " + std::to_string(timeoutSeconds) + " s"}, {}});
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

std::shared_ptr<BuilderPool::Batch> BuilderPool::add(Batch batch, bool isFirst) {
  auto added = std::make_shared<Batch>(std::move(batch));
  std::lock_guard lock(shared->mutex);
  if (!added->items.empty())
    shared->batches.insert(isFirst ? shared->batches.begin() : shared->batches.end(), added);
  shared->work.notify_all();
  return added;
}

std::shared_ptr<BuilderPool::Batch> BuilderPool::begin(std::shared_ptr<const TaskSource> task,
                                                       std::vector<BuildRequest> requests) {
  return add(Batch(std::move(task), std::move(requests)), /*isFirst=*/false);
}

void BuilderPool::begin(std::function<void()> work) { add(Batch(std::move(work)), /*isFirst=*/true); }

/// Calls `run` without holding the mutex, which is held before and after.
void BuilderPool::keepFree(std::unique_lock<std::mutex> &lock, unsigned beside, llvm::function_ref<void()> run) {
  shared->most = beside;
  waitFor(lock, [&] { return shared->building <= beside; });
  lock.unlock();
  run();
  lock.lock();
  shared->most = threads;
  shared->work.notify_all();
}

void BuilderPool::runBeside(unsigned beside, llvm::function_ref<void()> run) {
  std::unique_lock lock(shared->mutex);
  keepFree(lock, beside, run);
}

void BuilderPool::use(std::shared_ptr<Batch> batch, unsigned beside,
                      llvm::function_ref<void(size_t, BuildResult)> use) {
  std::unique_lock lock(shared->mutex);
  for (auto [number, item] : llvm::enumerate(batch->items)) {
    waitFor(lock, [&, &item = item] {
      return beside > 0 ? item.state == Batch::Item::Done : batch->done == batch->items.size();
    });
    keepFree(lock, beside, [&, number = number, &item = item] { use(number, std::move(item.result)); });
  }
}

std::vector<BuildResult> BuilderPool::build(std::shared_ptr<const TaskSource> task,
                                            std::vector<BuildRequest> requests) {
  std::shared_ptr<Batch> batch = add(Batch(std::move(task), std::move(requests)), /*isFirst=*/true);
  std::unique_lock lock(shared->mutex);
  waitFor(lock, [&] { return batch->done == batch->items.size(); });
  std::vector<BuildResult> results;
  for (Batch::Item &item : batch->items)
    results.push_back(std::move(item.result));
  return results;
}

} // namespace cameo::autotune
