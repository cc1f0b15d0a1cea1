// Runs work in a child process, so that its memory does not count as memory of this process.
#ifndef CAMEO_UTILS_CAMEO_CHILDPROCESS_H
#define CAMEO_UTILS_CAMEO_CHILDPROCESS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

#include <string>

namespace cameo {

/// Forks, calls `work` in the child, and returns its text or its error. The process must not have other threads.
llvm::Expected<std::string> runInChild(llvm::function_ref<llvm::Expected<std::string>()> work);

/// Return the resident memory of this process in MB, current and peak; 0 if the system does not report it.
double residentMb();
double peakResidentMb();

} // namespace cameo

#endif
