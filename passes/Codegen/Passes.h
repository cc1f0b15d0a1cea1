// The passes of this group; see Passes.td.
#ifndef CAMEO_PASSES_CODEGEN_PASSES_H
#define CAMEO_PASSES_CODEGEN_PASSES_H

#include "mlir/Pass/Pass.h"

#include <memory>

namespace cameo {

#define GEN_PASS_DECL
#include "passes/Codegen/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "passes/Codegen/Passes.h.inc"

} // namespace cameo

#endif
