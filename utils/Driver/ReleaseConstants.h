// Frees the memory of constants that folding has replaced.
#ifndef CAMEO_UTILS_DRIVER_RELEASECONSTANTS_H
#define CAMEO_UTILS_DRIVER_RELEASECONSTANTS_H

#include "mlir/IR/BuiltinOps.h"

namespace cameo {

/// Empties every resource of the context that no operation of `modules` refers to. Attributes live as long as the
/// context, so the originals of weights that were transposed or scaled would stay in memory. `modules` must be all
/// modules of their context.
void releaseUnusedConstants(llvm::ArrayRef<mlir::ModuleOp> modules);

} // namespace cameo

#endif
