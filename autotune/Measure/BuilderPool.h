// Builds many candidates on several threads. A candidate that crashes the compiler or takes too long costs itself and its thread's
// context, nothing else.
#ifndef CAMEO_AUTOTUNE_MEASURE_BUILDERPOOL_H
#define CAMEO_AUTOTUNE_MEASURE_BUILDERPOOL_H

#include "autotune/Measure/BuildCandidate.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <mutex>

namespace cameo::autotune {

/// What a thread of the pool calls; tests put other things in its place.
using BuildFunction = std::function<BuildResult(const TaskSource &, const BuildRequest &)>;

class BuilderPool {
public:
  /// `makeBuilder` is called once per thread, in it.
  BuilderPool(std::function<BuildFunction()> makeBuilder, unsigned threads, double timeoutSeconds);
  /// A pool of CandidateBuilders. `options` must outlive it, and threads that it gave up: until the program ends.
  static std::unique_ptr<BuilderPool> create(const BuildOptions &options, unsigned threads, double timeoutSeconds);
  ~BuilderPool();
  BuilderPool(const BuilderPool &) = delete;
  BuilderPool &operator=(const BuilderPool &) = delete;

  /// One result per request, in order.
  std::vector<BuildResult> build(std::shared_ptr<const TaskSource> task, std::vector<BuildRequest> requests);
  /// Calls `use` with the number and the result of each request, in order and as soon as it is built. While `use` runs no more than `beside`
  /// threads build, so 0 builds all before the first. `use` may not build.
  void build(std::shared_ptr<const TaskSource> task, std::vector<BuildRequest> requests, unsigned beside,
             llvm::function_ref<void(size_t, BuildResult)> use);

private:
  struct Shared;
  void startThread();
  void giveUpLate();
  void waitFor(std::unique_lock<std::mutex> &lock, llvm::function_ref<bool()> condition);

  std::shared_ptr<Shared> shared; ///< outlives the pool in threads that hang
  unsigned threads;
  double timeoutSeconds;
};

} // namespace cameo::autotune

#endif
