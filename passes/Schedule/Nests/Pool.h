// Finds a pool behind a nest: a nest that reduces windows of what the other one stores, such as the maximum behind a
// convolution.
#ifndef CAMEO_PASSES_SCHEDULE_NESTS_POOL_H
#define CAMEO_PASSES_SCHEDULE_NESTS_POOL_H

#include "passes/Schedule/Nests/LoopNest.h"

namespace cameo::schedule {

/// The windows along one dimension of the points that are pooled. Window number i has the `size` points from i *
/// `stride` - `before` on, of those that exist.
struct PoolWindow {
  int64_t size = 1, stride = 1, before = 0;
  int64_t count = 0; ///< of windows; 0: nothing is pooled

  bool operator==(const PoolWindow &other) const = default;
};

struct Pool {
  LoopNest nest;                         ///< a copy whose points have the dimensions of those that are pooled
  NodeId load;                           ///< of `nest`, reads a point
  unsigned buffer;                       ///< passes the points
  llvm::SmallVector<unsigned> nests;     ///< the numbers of the nests of borders and of the pool
  llvm::SmallVector<PoolWindow> windows; ///< along each dimension of the nest before
  /// For each dimension of that nest the dimension of the windows and the reduction over their points; none: there is
  /// one window, or it has one point.
  llvm::SmallVector<std::optional<unsigned>> ofWindows, ofSteps;
};

/// Returns the pool of what group number `first` of `program`, a nest alone, stores and nothing else reads. What lies
/// between their groups fills borders, which do not change results. The reduction computes each step from a point and
/// constants. Requires sizes that are known at compile time.
std::optional<Pool> findPool(const TaskProgram &program, size_t first);

} // namespace cameo::schedule

#endif
