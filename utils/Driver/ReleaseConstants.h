// Gives the memory of constants back that folding has replaced.
#ifndef CAMEO_UTILS_DRIVER_RELEASECONSTANTS_H
#define CAMEO_UTILS_DRIVER_RELEASECONSTANTS_H

#include "mlir/IR/BuiltinOps.h"

namespace cameo {

/// Empties every resource of the context that no operation of `module` refers to. Attributes live as long as the context, so weights that
/// were transposed or scaled would stay beside what became of them. `module` must be the only one in its context.
void releaseUnusedConstants(mlir::ModuleOp module);

} // namespace cameo

#endif
