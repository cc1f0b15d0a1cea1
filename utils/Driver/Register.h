// Registers all dialects and passes of the compiler's tools.
#ifndef CAMEO_UTILS_DRIVER_REGISTER_H
#define CAMEO_UTILS_DRIVER_REGISTER_H

#include "utils/Plugin/Plugins.h"

#include "mlir/IR/DialectRegistry.h"

namespace cameo {

/// Adds the dialects of all phases, with the external models of interfaces that passes use, and those of `plugins`.
void registerDialects(mlir::DialectRegistry &registry, const Plugins &plugins = {});

/// Registers the passes of all groups for command lines.
void registerPasses();

} // namespace cameo

#endif
