// The passes of this folder: storage order and padding of activations.
#ifndef CAMEO_PASSES_LAYOUT_PASSES_H
#define CAMEO_PASSES_LAYOUT_PASSES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace cameo {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "passes/Layout/Passes.h.inc"

} // namespace cameo

#endif
