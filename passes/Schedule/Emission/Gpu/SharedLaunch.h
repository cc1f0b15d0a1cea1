// Which parts of a task one launch does side by side.
#ifndef CAMEO_PASSES_SCHEDULE_EMISSION_GPU_SHAREDLAUNCH_H
#define CAMEO_PASSES_SCHEDULE_EMISSION_GPU_SHAREDLAUNCH_H

#include "passes/Schedule/Emission/Gpu/EmitBlocks.h"
#include "passes/Schedule/Emission/Shared/TaskBody.h"

#include <deque>
#include <functional>

namespace cameo::schedule {

/// What a launch has to do: a group of nests.
struct LaunchPiece {
  const NestGroup *group;
  BlockSchedules schedules;                 ///< of its nests
  llvm::SmallVector<unsigned> used, passed; ///< buffers, and those that are arguments
  Size blocks;
  int64_t threads;            ///< of a block
  std::optional<Size> points; ///< of which threads have one each: then blocks may as well have other numbers of threads
  bool writesAlone = false;   ///< no thread reads what another one wrote, but for parts of a sum behind a counter
  llvm::SmallVector<mlir::MemRefType> tiles = {}; ///< in shared memory
  std::function<void(llvm::ArrayRef<mlir::Value> values, mlir::Value block)>
      emitBody;     ///< for the memory of all buffers
  int64_t sums = 1; ///< that a thread has in registers

  bool isFlexible() const { return points.has_value(); }
  Size blocksOf(int64_t blockThreads) const { return points ? countPieces(*points, blockThreads) : blocks; }
};

/// Pieces that do not look at each other. Blocks have the threads of the first one; others have as many, or are
/// flexible.
struct SharedLaunch {
  unsigned level; ///< behind all launches of smaller ones
  llvm::SmallVector<const LaunchPiece *> pieces;
};

/// The launches of a task, in their order. `pieces` are in the order of the program, and outlive them.
std::vector<SharedLaunch> shareLaunches(const std::deque<LaunchPiece> &pieces);

} // namespace cameo::schedule

#endif
