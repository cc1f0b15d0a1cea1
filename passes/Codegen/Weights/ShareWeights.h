// Merges the weights of an object for several processors: weights with the same layout are stored once.
#ifndef CAMEO_PASSES_CODEGEN_WEIGHTS_SHAREWEIGHTS_H
#define CAMEO_PASSES_CODEGEN_WEIGHTS_SHAREWEIGHTS_H

#include "passes/Codegen/Plan/ModelPlan.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace cameo {

/// Returns a module with the task.weight operations of `modules`, where each content and layout occurs once. The places
/// in `plans`, one plan for each module, and the sizes of the weights are updated to the merged weights.
mlir::OwningOpRef<mlir::ModuleOp> shareWeights(llvm::ArrayRef<mlir::ModuleOp> modules,
                                               llvm::MutableArrayRef<ModelPlan> plans);

} // namespace cameo

#endif
