// A nest is computed where its results are read, instead of being stored.
#ifndef CAMEO_PASSES_SCHEDULE_NESTS_REWRITE_INLINENEST_H
#define CAMEO_PASSES_SCHEDULE_NESTS_REWRITE_INLINENEST_H

#include "passes/Schedule/Nests/LoopNest.h"

#include "llvm/Support/Error.h"

namespace cameo::schedule {

/// Nest `nest` is computed by each nest that reads it: see #schedule.inline.
struct InlineStep {
  unsigned nest;
  bool operator==(const InlineStep &other) const = default;
};

/// Computes the nest that `step` names where it is read, and removes it. An error says what keeps it, and leaves
/// `program` as it was.
llvm::Error inlineNest(TaskProgram &program, const InlineStep &step);

} // namespace cameo::schedule

#endif
