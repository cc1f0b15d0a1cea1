// Everything that the tools of the compiler can read and run, in one place.
#ifndef CAMEO_UTILS_DRIVER_REGISTER_H
#define CAMEO_UTILS_DRIVER_REGISTER_H

#include "utils/Plugin/Plugins.h"

#include "mlir/IR/DialectRegistry.h"

namespace cameo {

/// Adds the dialects that a module holds in any phase, with the interfaces that passes ask for, and those of `plugins`.
void registerDialects(mlir::DialectRegistry &registry, const Plugins &plugins = {});

/// Registers the passes of all groups for command lines.
void registerPasses();

} // namespace cameo

#endif
