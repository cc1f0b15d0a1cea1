// Neighbouring nests divided into bands: which part of each is needed for a part of what the last one computes.
#ifndef CAMEO_PASSES_SCHEDULE_NESTS_REWRITE_BANDEDNESTS_H
#define CAMEO_PASSES_SCHEDULE_NESTS_REWRITE_BANDEDNESTS_H

#include "passes/Schedule/Nests/LoopNest.h"

#include "llvm/Support/Error.h"

namespace cameo::schedule {

/// In band number b of a run, from `begin` + b * `step` on, `count` of something.
struct Advance {
  int64_t begin = 0, step = 0, count = 0;
};

/// Bands that differ in nothing but their place.
struct BandRun {
  int64_t bands = 0;
  llvm::SmallVector<Advance> nests;   ///< per nest: points of the divided dimension
  llvm::SmallVector<Advance> buffers; ///< per buffer that is passed on: elements
};

struct BandedNests {
  unsigned firstGroup, lastGroup; ///< the groups that the nests fill
  unsigned dim;                   ///< the one that is divided: the first, or the first behind the rows of the group
  llvm::SmallVector<const LoopNest *> nests;
  llvm::SmallVector<unsigned, 4> buffers; ///< those that the nests pass on among themselves, and nobody else sees
  std::vector<BandRun> runs;              ///< all bands, in order
};

/// Nests `first` to `last` of `program` for bands of `size` points of the last one's first dimension, in a group of
/// rows that share a matrix the first behind the rows; or what keeps them from running band by band. Points to the
/// nests of `program`.
llvm::Expected<BandedNests> divideIntoBands(const TaskProgram &program, unsigned first, unsigned last, int64_t size);

} // namespace cameo::schedule

#endif
