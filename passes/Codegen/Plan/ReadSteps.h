// What a planned @main does, as steps of the generated `run`.
#ifndef CAMEO_PASSES_CODEGEN_PLAN_READSTEPS_H
#define CAMEO_PASSES_CODEGEN_PLAN_READSTEPS_H

#include "passes/Codegen/Plan/ModelPlan.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace cameo {

/// Adds the operations of `main`, in order, to `plan`, which has the so many inputs and outputs already.
void readSteps(ModelPlan &plan, mlir::func::FuncOp main, unsigned inputs, unsigned outputs);

/// Bytes of a buffer of known size.
int64_t bytesOf(mlir::Value buffer);

} // namespace cameo

#endif
