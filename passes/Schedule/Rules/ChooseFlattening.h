// Which planes of a task are run through as one line of pixels.
#ifndef CAMEO_PASSES_SCHEDULE_RULES_CHOOSEFLATTENING_H
#define CAMEO_PASSES_SCHEDULE_RULES_CHOOSEFLATTENING_H

#include "passes/Schedule/Nests/Rewrite/ReplaceNests.h"
#include "passes/Schedule/Rules/DefaultSchedule.h"

namespace cameo::schedule {

/// The steps for `program`, whose sizes are known, beside `chosen`, whose nests are left as they are: of each product
/// the pair of dimensions, if any, that makes its register blocks faster by the model that chooses these.
std::vector<FlattenStep> chooseFlattening(const TaskProgram &program, llvm::ArrayRef<Replacement> chosen,
                                          const Machine &machine);

} // namespace cameo::schedule

#endif
