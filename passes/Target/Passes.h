// The pass that says what a module is compiled for; see Passes.td.
#ifndef CAMEO_PASSES_TARGET_PASSES_H
#define CAMEO_PASSES_TARGET_PASSES_H

#include "passes/Target/TargetInfo.h"

#include "mlir/Pass/Pass.h"

#include <memory>

namespace cameo {

#define GEN_PASS_DECL
#include "passes/Target/Passes.h.inc"

/// With a target that is resolved already.
std::unique_ptr<mlir::Pass> createAttachTargetPass(const TargetInfo &target);

#define GEN_PASS_REGISTRATION
#include "passes/Target/Passes.h.inc"

} // namespace cameo

#endif
