// Two dimensions of a nest become one, whose points are those of a row, then of the next.
#ifndef CAMEO_PASSES_SCHEDULE_NESTS_REWRITE_FLATTENDIMENSIONS_H
#define CAMEO_PASSES_SCHEDULE_NESTS_REWRITE_FLATTENDIMENSIONS_H

#include "passes/Schedule/Nests/LoopNest.h"

#include "llvm/Support/Error.h"

namespace cameo::schedule {

/// Dimensions `dim` and `dim` + 1 of nest `nest` are run through as one: see #schedule.flatten.
struct FlattenStep {
  unsigned nest, dim;
  bool operator==(const FlattenStep &other) const = default;
};

/// Flattens the dimensions that `step` names, in place. An error says why they cannot be one.
llvm::Error flattenDimensions(TaskProgram &program, const FlattenStep &step);

} // namespace cameo::schedule

#endif
