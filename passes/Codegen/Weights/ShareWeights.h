// The weights of an object for several processors: what is laid out alike for some of them is there once.
#ifndef CAMEO_PASSES_CODEGEN_WEIGHTS_SHAREWEIGHTS_H
#define CAMEO_PASSES_CODEGEN_WEIGHTS_SHAREWEIGHTS_H

#include "passes/Codegen/Plan/ModelPlan.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace cameo {

/// A module with the task.weight operations of `modules`, each content and layout once. The places in `plans`, one for
/// each module, and their sizes become those of all weights.
mlir::OwningOpRef<mlir::ModuleOp> shareWeights(llvm::ArrayRef<mlir::ModuleOp> modules,
                                               llvm::MutableArrayRef<ModelPlan> plans);

} // namespace cameo

#endif
