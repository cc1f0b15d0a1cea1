// The passes that choose and apply schedules; see Passes.td.
#ifndef CAMEO_PASSES_SCHEDULE_PASSES_H
#define CAMEO_PASSES_SCHEDULE_PASSES_H

#include "mlir/Pass/Pass.h"

#include <memory>

namespace cameo {

#define GEN_PASS_DECL
#include "passes/Schedule/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "passes/Schedule/Passes.h.inc"

} // namespace cameo

#endif
