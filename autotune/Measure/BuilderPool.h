// Builds many candidates on several threads. A candidate that crashes the compiler or takes too long costs itself and its thread's
// context, nothing else.
#ifndef CAMEO_AUTOTUNE_MEASURE_BUILDERPOOL_H
#define CAMEO_AUTOTUNE_MEASURE_BUILDERPOOL_H

#include "autotune/Measure/BuildCandidate.h"

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

private:
  struct Shared;
  void startThread();

  std::shared_ptr<Shared> shared; ///< outlives the pool in threads that hang
  double timeoutSeconds;
};

} // namespace cameo::autotune

#endif
