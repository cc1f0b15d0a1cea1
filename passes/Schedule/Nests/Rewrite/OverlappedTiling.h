// Neighbouring nests divided into overlapped tiles: which part of each is needed for a part of what the last one
// computes.
#ifndef CAMEO_PASSES_SCHEDULE_NESTS_REWRITE_OVERLAPPEDTILING_H
#define CAMEO_PASSES_SCHEDULE_NESTS_REWRITE_OVERLAPPEDTILING_H

#include "passes/Schedule/Nests/LoopNest.h"

#include "llvm/Support/Error.h"

namespace cameo::schedule {

/// In tile number t of a run, from `begin` + t * `step` on, `count` of something.
struct Advance {
  int64_t begin = 0, step = 0, count = 0;
};

/// Tiles that differ in nothing but their place.
struct TileRun {
  int64_t tiles = 0;
  llvm::SmallVector<Advance> nests;   ///< per nest: points of the divided dimension
  llvm::SmallVector<Advance> buffers; ///< per buffer that is passed on: elements
};

struct OverlappedTiling {
  unsigned firstGroup, lastGroup; ///< the groups that the nests fill
  unsigned dim;                   ///< the one that is divided: the first, or the first behind the rows of the group
  llvm::SmallVector<const LoopNest *> nests;
  llvm::SmallVector<unsigned, 4> buffers; ///< those that the nests pass on among themselves, and nobody else sees
  std::vector<TileRun> runs;              ///< all tiles, in order
};

/// Nests `first` to `last` of `program` for tiles of `size` points of the last one's first dimension, in a group of
/// rows that share a matrix the first behind the rows; or what keeps them from running tile by tile. Points to the
/// nests of `program`.
llvm::Expected<OverlappedTiling> tileNests(const TaskProgram &program, unsigned first, unsigned last, int64_t size);

} // namespace cameo::schedule

#endif
