// Lowers text literals and runtime calls in kernels to symbols.
#ifndef CAMEO_PASSES_CODEGEN_RESOLVETEXTS_H
#define CAMEO_PASSES_CODEGEN_RESOLVETEXTS_H

#include "mlir/IR/BuiltinOps.h"

namespace cameo {

/// Replaces task.text by the address of a constant, of which there is one for each content, and task.invoke by a call
/// of a function that is declared here.
void resolveTexts(mlir::ModuleOp module);

} // namespace cameo

#endif
