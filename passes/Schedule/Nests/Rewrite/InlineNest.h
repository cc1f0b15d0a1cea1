// Inlines a nest into the nests that read its result, so that the result is not stored.
#ifndef CAMEO_PASSES_SCHEDULE_NESTS_REWRITE_INLINENEST_H
#define CAMEO_PASSES_SCHEDULE_NESTS_REWRITE_INLINENEST_H

#include "passes/Schedule/Nests/LoopNest.h"

#include "llvm/Support/Error.h"

namespace cameo::schedule {

/// Inlines nest number `nest` into each nest that reads it: see #schedule.inline.
struct InlineStep {
  unsigned nest;
  bool operator==(const InlineStep &other) const = default;
};

/// Inlines the nest that `step` names and removes it. The error says why it cannot be inlined; `program` is then
/// unchanged.
llvm::Error inlineNest(TaskProgram &program, const InlineStep &step);

} // namespace cameo::schedule

#endif
