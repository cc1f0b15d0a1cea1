// Runs the compiler on a thread with a large stack, because LLVM and MLIR follow chains of operations by recursion, as
// deep as the model is.
#ifndef CAMEO_UTILS_DRIVER_DEEPSTACK_H
#define CAMEO_UTILS_DRIVER_DEEPSTACK_H

#include "llvm/ADT/STLFunctionalExtras.h"

namespace cameo {

/// Runs `work` on a new thread with a stack of 512 MiB, of which only the used part is committed, and waits until it
/// returns.
void runOnDeepStack(llvm::function_ref<void()> work);

} // namespace cameo

#endif
