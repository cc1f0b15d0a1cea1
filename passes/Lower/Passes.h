// The pass that lowers tasks to linalg; see Passes.td.
#ifndef CAMEO_PASSES_LOWER_PASSES_H
#define CAMEO_PASSES_LOWER_PASSES_H

#include "mlir/Pass/Pass.h"

namespace cameo {

#define GEN_PASS_DECL
#include "passes/Lower/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "passes/Lower/Passes.h.inc"

} // namespace cameo

#endif
