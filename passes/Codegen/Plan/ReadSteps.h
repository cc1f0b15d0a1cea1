// Reads the steps of the generated `run` from a planned @main.
#ifndef CAMEO_PASSES_CODEGEN_PLAN_READSTEPS_H
#define CAMEO_PASSES_CODEGEN_PLAN_READSTEPS_H

#include "passes/Codegen/Plan/ModelPlan.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace cameo {

/// Adds the operations of `main` to `plan` as steps. The first arguments of `main` are `inputs` inputs and `outputs`
/// outputs, which the plan holds already.
void readSteps(ModelPlan &plan, mlir::func::FuncOp main, unsigned inputs, unsigned outputs);

/// Returns the number of bytes of a buffer with a static shape.
int64_t bytesOf(mlir::Value buffer);

} // namespace cameo

#endif
