// Decides which parts of a task share a kernel launch.
#ifndef CAMEO_PASSES_SCHEDULE_EMISSION_GPU_SHAREDLAUNCH_H
#define CAMEO_PASSES_SCHEDULE_EMISSION_GPU_SHAREDLAUNCH_H

#include "passes/Schedule/Emission/Gpu/EmitBlocks.h"
#include "passes/Schedule/Emission/Shared/TaskBody.h"

#include <deque>
#include <functional>

namespace cameo::schedule {

/// A group of nests as part of a launch.
struct LaunchPiece {
  const NestGroup *group;
  BlockSchedules schedules;                 ///< of the group's nests
  llvm::SmallVector<unsigned> used, passed; ///< the buffers, and those that are kernel arguments
  Size blocks;
  int64_t threads;            ///< per block
  std::optional<Size> points; ///< number of independent points, one per thread; set if the number of threads per block
                              ///< is flexible
  bool writesAlone = false;   ///< no thread reads what another one wrote, except partial sums after a counter
  llvm::SmallVector<mlir::MemRefType> tiles = {}; ///< in shared memory
  std::function<void(llvm::ArrayRef<mlir::Value> values, mlir::Value block)>
      emitBody;                  ///< `values` is the memory of all buffers
  int64_t sums = 1;              ///< accumulators per thread, in registers
  int64_t products = 0;          ///< of a block that has tiles
  bool waitsForLaunches = false; ///< `emitBody` emits the wait for earlier launches (DependentLaunch.h)
  int64_t cluster = 1;           ///< blocks of a cluster, which divide its number of blocks

  bool isFlexible() const { return points.has_value(); }
  /// Returns the number of blocks in a launch with these clusters. Those without points do nothing.
  Size blocksOf(int64_t blockThreads, int64_t clusters) const {
    return points ? countPieces(*points, blockThreads * clusters) * clusters : blocks;
  }
};

/// Independent pieces in one launch. Blocks have the number of threads of the first piece; other pieces have the same
/// number and equal clusters, or are flexible.
struct SharedLaunch {
  unsigned level; ///< the position in the order of launches: it runs after all launches of lower levels
  llvm::SmallVector<const LaunchPiece *> pieces;
};

/// Returns the launches of a task in order. `pieces` are in the order of the program and must outlive the result; those
/// that share a launch have at most `mostBytes` of shared memory. Blocks with most products have the lowest numbers:
/// they begin first, so that a launch does not end with one of them.
std::vector<SharedLaunch> shareLaunches(const std::deque<LaunchPiece> &pieces, int64_t mostBytes);

} // namespace cameo::schedule

#endif
