// Chooses the copies of caches that are fused with the products that read them.
#ifndef CAMEO_PASSES_SCHEDULE_RULES_CHOOSECOPYTILES_H
#define CAMEO_PASSES_SCHEDULE_RULES_CHOOSECOPYTILES_H

#include "dialects/Target/Machine.h"
#include "passes/Schedule/Nests/Rewrite/FuseNests.h"

namespace cameo::schedule {

/// Returns steps for the copies that no cache holds until a product of a few points reads them.
std::vector<FuseStep> chooseCopyTiles(const TaskProgram &program, const Machine &machine);

} // namespace cameo::schedule

#endif
