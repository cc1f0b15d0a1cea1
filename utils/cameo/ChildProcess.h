// Work in a process of its own, so that the memory it takes is not ours.
#ifndef CAMEO_UTILS_CAMEO_CHILDPROCESS_H
#define CAMEO_UTILS_CAMEO_CHILDPROCESS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

#include <string>

namespace cameo {

/// Forks, calls `work` in the child and returns its text or error. Only for a process that has no other threads.
llvm::Expected<std::string> runInChild(llvm::function_ref<llvm::Expected<std::string>()> work);

/// The resident memory of this process in MB, now and at its peak; 0 where the system does not say.
double residentMb();
double peakResidentMb();

} // namespace cameo

#endif
