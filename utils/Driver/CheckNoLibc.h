// Checks whether an object works without the C library.
#ifndef CAMEO_UTILS_DRIVER_CHECKNOLIBC_H
#define CAMEO_UTILS_DRIVER_CHECKNOLIBC_H

#include "passes/Codegen/GenerateCode.h"

#include "llvm/Support/LogicalResult.h"

namespace cameo {

/// Fails after an error that names the nodes and the function, if the code of `model` calls a library function other
/// than those that every freestanding program provides: memcpy, memmove, memset and memcmp.
llvm::LogicalResult checkNoLibc(GeneratedCode &code, llvm::StringRef model);

} // namespace cameo

#endif
