// Converts the structures of rules, steps and emitters to the loop dialect.
#ifndef CAMEO_PASSES_SCHEDULE_LOOPS_WRITELOOPS_H
#define CAMEO_PASSES_SCHEDULE_LOOPS_WRITELOOPS_H

#include "passes/Schedule/Loops/ReadLoops.h"

namespace cameo::schedule {

/// Replaces the body of `def`, in tensor or loop form, by `form`. Nodes of `form` may apply operations of the old body,
/// which are copied.
void writeLoops(task::DefOp def, const LoopForm &form);

} // namespace cameo::schedule

#endif
