// The passes of this folder: those that run phases themselves.
#ifndef CAMEO_PASSES_PIPELINE_PASSES_H
#define CAMEO_PASSES_PIPELINE_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace cameo {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "passes/Pipeline/Passes.h.inc"

} // namespace cameo

#endif
