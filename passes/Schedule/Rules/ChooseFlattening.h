// Chooses the planes of a task whose rows and columns become one dimension, and the short rows that do.
#ifndef CAMEO_PASSES_SCHEDULE_RULES_CHOOSEFLATTENING_H
#define CAMEO_PASSES_SCHEDULE_RULES_CHOOSEFLATTENING_H

#include "passes/Schedule/Nests/Rewrite/ReplaceNests.h"
#include "passes/Schedule/Rules/DefaultSchedule.h"

namespace cameo::schedule {

/// Returns the steps for `program`. Nests of the steps in `chosen` are left as they are. For each product of known size
/// it takes the pair of dimensions, if any, whose flattening makes the register blocks faster according to their cost
/// model; for each nest without a reduction the pair whose flattening saves instructions of its vectors.
std::vector<FlattenStep> chooseFlattening(const TaskProgram &program, llvm::ArrayRef<Replacement> chosen,
                                          const Machine &machine);

} // namespace cameo::schedule

#endif
