// Gives a known number of samples a name, as if the model had been exported for any number.
#ifndef CAMEO_PASSES_PIPELINE_NAMESAMPLES_H
#define CAMEO_PASSES_PIPELINE_NAMESAMPLES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace cameo {

/// Returns the size that the first dimension of every argument with samples has, if all sizes of @main are numbers:
/// that of the largest argument. Returns 1 if there is nothing to divide.
int64_t countSamples(mlir::func::FuncOp main);

/// Names the first dimension of each argument that is `count`, and infers all shapes again. What a Reshape
/// and an Expand state follows. Fails silently if a shape does not follow from the name; the module is then in an
/// undefined state.
llvm::LogicalResult nameSamples(mlir::ModuleOp module, int64_t count, mlir::StringAttr name);

} // namespace cameo

#endif
