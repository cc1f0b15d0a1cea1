// Joins neighbouring nests into rows of which each is an overlapped tile of what the last nest computes.
#ifndef CAMEO_PASSES_SCHEDULE_NESTS_REWRITE_FUSENESTS_H
#define CAMEO_PASSES_SCHEDULE_NESTS_REWRITE_FUSENESTS_H

#include "passes/Schedule/Nests/LoopNest.h"

#include "llvm/Support/Error.h"

namespace cameo::schedule {

/// Nests `nest` to `last` run together for `size` points of the last one's first dimension: see #schedule.fuse.
struct FuseStep {
  unsigned nest, last;
  int64_t size;
  bool operator==(const FuseStep &other) const = default;
};

/// Joins the nests that `step` names into groups of rows, or where they are one, takes several of its rows at a time.
/// An error says what keeps them apart.
llvm::Error fuseNests(TaskProgram &program, const FuseStep &step);

} // namespace cameo::schedule

#endif
