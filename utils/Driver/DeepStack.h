// A thread for the compiler: LLVM and MLIR follow chains of operations by recursion, as deep as a model is.
#ifndef CAMEO_UTILS_DRIVER_DEEPSTACK_H
#define CAMEO_UTILS_DRIVER_DEEPSTACK_H

#include "llvm/ADT/STLFunctionalExtras.h"

namespace cameo {

/// Runs `work` on a thread of its own with a stack of 512 MiB, of which only what is used becomes memory, and waits for
/// its end.
void runOnDeepStack(llvm::function_ref<void()> work);

} // namespace cameo

#endif
