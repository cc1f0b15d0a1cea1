// Which of several processors this machine is, for what looks at the code of one.
#ifndef CAMEO_UTILS_DRIVER_CHOOSECPU_H
#define CAMEO_UTILS_DRIVER_CHOOSECPU_H

#include "utils/Driver/CompileOptions.h"

namespace cameo {

/// Puts in place of a list of processors the one whose code an object for all of them runs on this machine. An error
/// where it is none of them.
llvm::Error chooseCpu(CompileOptions &options);

} // namespace cameo

#endif
