// Lowers string literals and runtime calls in kernels to symbols.
#ifndef CAMEO_PASSES_CODEGEN_RESOLVESTRINGS_H
#define CAMEO_PASSES_CODEGEN_RESOLVESTRINGS_H

#include "mlir/IR/BuiltinOps.h"

namespace cameo {

/// Replaces task.string by the address of a constant, of which there is one for each content, and task.invoke by a call
/// of a function that is declared here.
void resolveStrings(mlir::ModuleOp module);

} // namespace cameo

#endif
