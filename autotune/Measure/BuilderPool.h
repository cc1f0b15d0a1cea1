// Builds many candidates on several threads. A candidate that crashes the compiler or exceeds the time limit fails
// alone; only the context of its thread is lost.
#ifndef CAMEO_AUTOTUNE_MEASURE_BUILDERPOOL_H
#define CAMEO_AUTOTUNE_MEASURE_BUILDERPOOL_H

#include "autotune/Measure/BuildCandidate.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <mutex>

namespace cameo::autotune {

/// The function that a thread of the pool calls; tests replace it.
using BuildFunction = std::function<BuildResult(const TaskSource &, const BuildRequest &)>;

/// Thread-safe, except that only the measuring thread may call runBeside(), use() and build().
class BuilderPool {
public:
  /// Requests that are built or queued, of this pool only.
  struct Batch;

  /// `makeBuilder` is called once on each thread.
  BuilderPool(std::function<BuildFunction()> makeBuilder, unsigned threads, double timeoutSeconds);
  /// Creates a pool of CandidateBuilders. `options` must live until the program ends, because abandoned threads may
  /// still use it.
  static std::unique_ptr<BuilderPool> create(const BuildOptions &options, unsigned threads, double timeoutSeconds);
  /// Waits for running builds, and drops queued ones.
  ~BuilderPool();
  BuilderPool(const BuilderPool &) = delete;
  BuilderPool &operator=(const BuilderPool &) = delete;

  /// Queues `requests` after all earlier ones.
  std::shared_ptr<Batch> begin(std::shared_ptr<const TaskSource> task, std::vector<BuildRequest> requests);
  /// Queues `work`, which a thread runs instead of a build, without a time limit. It goes before queued builds and may
  /// call begin().
  void begin(std::function<void()> work);
  /// Calls `use` with the index and the result of each request of `batch`, in order and as soon as it is built. While
  /// `use` runs, at most `beside` threads of the pool are busy; with 0, all requests are built before the first call.
  void use(std::shared_ptr<Batch> batch, unsigned beside, llvm::function_ref<void(size_t, BuildResult)> use);
  /// Builds `requests` before queued ones. Returns one result per request, in order.
  std::vector<BuildResult> build(std::shared_ptr<const TaskSource> task, std::vector<BuildRequest> requests);
  /// Calls `run` while at most `beside` threads of the pool are busy. `run` must not build.
  void runBeside(unsigned beside, llvm::function_ref<void()> run);

private:
  struct Shared;
  std::shared_ptr<Batch> add(Batch batch, bool isFirst);
  void startThread();
  void giveUpLate();
  void waitFor(std::unique_lock<std::mutex> &lock, llvm::function_ref<bool()> condition);
  void keepFree(std::unique_lock<std::mutex> &lock, unsigned beside, llvm::function_ref<void()> run);

  std::shared_ptr<Shared> shared; ///< shared with threads that hang and outlive the pool
  unsigned threads;
  double timeoutSeconds;
};

} // namespace cameo::autotune

#endif
