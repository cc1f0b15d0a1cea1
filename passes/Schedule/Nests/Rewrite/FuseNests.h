// Fuses neighbouring nests into a group whose rows are overlapped tiles of the last nest's result.
#ifndef CAMEO_PASSES_SCHEDULE_NESTS_REWRITE_FUSENESTS_H
#define CAMEO_PASSES_SCHEDULE_NESTS_REWRITE_FUSENESTS_H

#include "passes/Schedule/Nests/LoopNest.h"

#include "llvm/Support/Error.h"

namespace cameo::schedule {

/// Fuses nests `nest` to `last` in tiles of `size` points of the last one's first dimension: see #schedule.fuse.
struct FuseStep {
  unsigned nest, last;
  int64_t size;
  bool operator==(const FuseStep &other) const = default;
};

/// Fuses the nests that `step` names into groups of rows. If they already form one group, it takes several of its rows
/// at a time instead; if that group shares a matrix and has dynamic sizes, several points after its rows. A copy and
/// the product that reads it are fused in tiles of copied rows (FuseCopies.h). The error says why the nests cannot be
/// fused.
llvm::Error fuseNests(TaskProgram &program, const FuseStep &step);

} // namespace cameo::schedule

#endif
