// Divides neighbouring nests into overlapped tiles: finds the part of each nest that a part of the last nest's result
// needs.
#ifndef CAMEO_PASSES_SCHEDULE_NESTS_REWRITE_OVERLAPPEDTILING_H
#define CAMEO_PASSES_SCHEDULE_NESTS_REWRITE_OVERLAPPEDTILING_H

#include "passes/Schedule/Nests/LoopNest.h"

#include "llvm/Support/Error.h"

namespace cameo::schedule {

/// A range that moves from tile to tile: in tile number t of a run it begins at `begin` + t * `step` and has `count`
/// points or elements.
struct Advance {
  int64_t begin = 0, step = 0, count = 0;
};

/// Consecutive tiles of equal shape.
struct TileRun {
  int64_t tiles = 0;
  llvm::SmallVector<Advance> nests;   ///< per nest: points of the divided dimension
  llvm::SmallVector<Advance> buffers; ///< per buffer in `buffers`: elements
};

struct OverlappedTiling {
  unsigned firstGroup, lastGroup; ///< the groups that contain the nests
  unsigned dim;                   ///< the divided dimension: the first one, or the first one after the row dimensions
                                  ///< of the group
  llvm::SmallVector<const LoopNest *> nests;
  llvm::SmallVector<unsigned, 4> buffers; ///< written and read by these nests only
  std::vector<TileRun> runs;              ///< all tiles, in order
};

/// Divides nests `first` to `last` of `program` into tiles of `size` points of the last nest's first dimension (in a
/// group of rows that share a matrix, the first dimension after the rows). The error says why they cannot run tile by
/// tile. The result points into `program`.
llvm::Expected<OverlappedTiling> tileNests(const TaskProgram &program, unsigned first, unsigned last, int64_t size);

} // namespace cameo::schedule

#endif
