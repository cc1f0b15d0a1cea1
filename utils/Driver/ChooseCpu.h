// Chooses one of several target processors by the features of this machine, for tools that inspect the code of one.
#ifndef CAMEO_UTILS_DRIVER_CHOOSECPU_H
#define CAMEO_UTILS_DRIVER_CHOOSECPU_H

#include "utils/Driver/CompileOptions.h"

namespace cameo {

/// Replaces a list of processors by the one whose code an object for all of them would run on this machine. Fails if
/// the machine supports none of them.
llvm::Error chooseCpu(CompileOptions &options);

} // namespace cameo

#endif
