// Which results of a task may be written over one of its arguments.
#ifndef CAMEO_PASSES_SCHEDULE_NESTS_INPLACERESULTS_H
#define CAMEO_PASSES_SCHEDULE_NESTS_INPLACERESULTS_H

#include "passes/Schedule/Nests/LoopNest.h"

namespace cameo::schedule {

/// The result that may be written over `argument`: every element of it is read once, right before its place is written,
/// and nothing else is written there. May find none where that is hard to see.
std::optional<unsigned> inplaceResult(const TaskProgram &program, unsigned argument);

} // namespace cameo::schedule

#endif
