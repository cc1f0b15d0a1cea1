// Attributes of LLVM's functions by which emission tells code generation about a kernel.
#ifndef CAMEO_DIALECTS_TASK_KERNELATTRIBUTES_H
#define CAMEO_DIALECTS_TASK_KERNELATTRIBUTES_H

#include "llvm/ADT/StringRef.h"

namespace cameo::task {

/// The loops of the kernel come from bufferisation, without a schedule: LLVM may vectorise them.
constexpr llvm::StringLiteral kPlainLoops = "cameo-plain-loops";

} // namespace cameo::task

#endif
