// Finds results of a task that may be stored in the memory of an argument.
#ifndef CAMEO_PASSES_SCHEDULE_NESTS_INPLACERESULTS_H
#define CAMEO_PASSES_SCHEDULE_NESTS_INPLACERESULTS_H

#include "passes/Schedule/Nests/LoopNest.h"

namespace cameo::schedule {

/// Returns the result that may be stored in the memory of `argument`: every element is read once, right before it is
/// overwritten, and no other nest stores there. Conservative: nothing if it cannot be proved.
std::optional<unsigned> inplaceResult(const TaskProgram &program, unsigned argument);

} // namespace cameo::schedule

#endif
