// Merges two dimensions of a nest into one, in row-major order, also where addresses are not contiguous.
#ifndef CAMEO_PASSES_SCHEDULE_NESTS_REWRITE_FLATTENDIMENSIONS_H
#define CAMEO_PASSES_SCHEDULE_NESTS_REWRITE_FLATTENDIMENSIONS_H

#include "passes/Schedule/Nests/LoopNest.h"

#include "llvm/Support/Error.h"

namespace cameo::schedule {

/// Merges dimensions `dim` and `dim` + 1 of nest number `nest`: see #schedule.flatten.
struct FlattenStep {
  unsigned nest, dim;
  bool operator==(const FlattenStep &other) const = default;
};

/// Merges the dimensions that `step` names, in place. The error says why they cannot be merged.
llvm::Error flattenDimensions(TaskProgram &program, const FlattenStep &step);

} // namespace cameo::schedule

#endif
