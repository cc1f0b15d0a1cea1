// Reads the inputs and outputs of a planned @main as C programs see them.
#ifndef CAMEO_PASSES_CODEGEN_PLAN_READTENSORS_H
#define CAMEO_PASSES_CODEGEN_PLAN_READTENSORS_H

#include "passes/Codegen/Plan/ModelPlan.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace cameo {

struct CElementType {
  int number; ///< cameo_element_type
  const char *cType;
};
/// Returns nothing for an element type that C programs cannot pass.
std::optional<CElementType> elementTypeInC(mlir::Type element);

/// Adds the first arguments of `main`, `inputs` inputs and `outputs` outputs, to `plan`, and numbers the dynamic
/// dimensions: symbols, derived sizes, upper bounds. Fails after a diagnostic if C programs cannot pass a tensor.
mlir::LogicalResult readTensors(ModelPlan &plan, mlir::func::FuncOp main, unsigned inputs, unsigned outputs);

} // namespace cameo

#endif
