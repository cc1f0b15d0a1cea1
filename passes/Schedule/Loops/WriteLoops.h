// From the structures that rules, steps and emission work on to the loop dialect.
#ifndef CAMEO_PASSES_SCHEDULE_LOOPS_WRITELOOPS_H
#define CAMEO_PASSES_SCHEDULE_LOOPS_WRITELOOPS_H

#include "passes/Schedule/Loops/ReadLoops.h"

namespace cameo::schedule {

/// Replaces the body of `def`, tensors or loops, by `form`, whose nodes may apply operations of that body. They are
/// copied.
void writeLoops(task::DefOp def, const LoopForm &form);

} // namespace cameo::schedule

#endif
