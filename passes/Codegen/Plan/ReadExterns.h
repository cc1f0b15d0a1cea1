// Reads the calls of functions that the program defines from a planned @main.
#ifndef CAMEO_PASSES_CODEGEN_PLAN_READEXTERNS_H
#define CAMEO_PASSES_CODEGEN_PLAN_READEXTERNS_H

#include "dialects/Task/TaskExternOps.h"
#include "passes/Codegen/Plan/ModelPlan.h"

namespace cameo {

PlannedExtern readExtern(task::ExternCallOp call);

/// Adds the signature of `call` to `functions`. If the function is there already, adds the tensors that only `call` has
/// to its signature.
void addExtern(std::vector<PlannedExtern> &functions, const PlannedExtern &call);

} // namespace cameo

#endif
