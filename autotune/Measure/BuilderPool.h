// Builds many candidates on several threads. A candidate that crashes the compiler or takes too long costs itself and
// its thread's context, nothing else.
#ifndef CAMEO_AUTOTUNE_MEASURE_BUILDERPOOL_H
#define CAMEO_AUTOTUNE_MEASURE_BUILDERPOOL_H

#include "autotune/Measure/BuildCandidate.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <mutex>

namespace cameo::autotune {

/// What a thread of the pool calls; tests put other things in its place.
using BuildFunction = std::function<BuildResult(const TaskSource &, const BuildRequest &)>;

/// Thread-safe but for runBeside(), use() and build(), which one thread at a time may call: that of who measures.
class BuilderPool {
public:
  /// What is built, or will be; of this pool only.
  struct Batch;

  /// `makeBuilder` is called once per thread, in it.
  BuilderPool(std::function<BuildFunction()> makeBuilder, unsigned threads, double timeoutSeconds);
  /// A pool of CandidateBuilders. `options` must outlive it, and threads that it gave up: until the program ends.
  static std::unique_ptr<BuilderPool> create(const BuildOptions &options, unsigned threads, double timeoutSeconds);
  /// Waits for what threads are at, and drops what they did not begin.
  ~BuilderPool();
  BuilderPool(const BuilderPool &) = delete;
  BuilderPool &operator=(const BuilderPool &) = delete;

  /// Has `requests` built behind all that was begun before.
  std::shared_ptr<Batch> begin(std::shared_ptr<const TaskSource> task, std::vector<BuildRequest> requests);
  /// Other `work`, which a thread does in the place of a build, however long it takes. Goes before what was begun; may
  /// call begin().
  void begin(std::function<void()> work);
  /// Calls `use` with the number and the result of each request of `batch`, in order and as soon as it is built. While
  /// `use` runs no more than `beside` threads of the pool are at work, so 0 builds all before the first.
  void use(std::shared_ptr<Batch> batch, unsigned beside, llvm::function_ref<void(size_t, BuildResult)> use);
  /// One result per request, in order; goes before what was begun.
  std::vector<BuildResult> build(std::shared_ptr<const TaskSource> task, std::vector<BuildRequest> requests);
  /// Calls `run` while no more than `beside` threads of the pool are at work. It may not build.
  void runBeside(unsigned beside, llvm::function_ref<void()> run);

private:
  struct Shared;
  std::shared_ptr<Batch> add(Batch batch, bool isFirst);
  void startThread();
  void giveUpLate();
  void waitFor(std::unique_lock<std::mutex> &lock, llvm::function_ref<bool()> condition);
  void keepFree(std::unique_lock<std::mutex> &lock, unsigned beside, llvm::function_ref<void()> run);

  std::shared_ptr<Shared> shared; ///< outlives the pool in threads that hang
  unsigned threads;
  double timeoutSeconds;
};

} // namespace cameo::autotune

#endif
