// Calls of functions of the program in a planned @main.
#ifndef CAMEO_PASSES_CODEGEN_PLAN_READEXTERNS_H
#define CAMEO_PASSES_CODEGEN_PLAN_READEXTERNS_H

#include "dialects/Task/TaskExternOps.h"
#include "passes/Codegen/Plan/ModelPlan.h"

namespace cameo {

PlannedExtern readExtern(task::ExternCallOp call);

/// Adds the function of `call` to `functions`, or to that of its name what the call has and it does not.
void addExtern(std::vector<PlannedExtern> &functions, const PlannedExtern &call);

} // namespace cameo

#endif
