// From an object file to something that runs: a shared library, or a program with a generic main.
#ifndef CAMEO_UTILS_DRIVER_LINKMODEL_H
#define CAMEO_UTILS_DRIVER_LINKMODEL_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace cameo {

/// Links `object` into the shared library `output` with the linker inside this program. For the machine this program runs
/// on, the runtime's ABI symbol goes into the library; for another target it stays undefined.
llvm::Error linkSharedLibrary(llvm::StringRef object, llvm::StringRef output, bool forHost);

/// Links a candidate of the tuner, for a process that has the runtime and the C library, as cameo-worker has; everything else is as above. Takes
/// less time, and no longer after thousands of them.
llvm::Error linkCandidate(llvm::StringRef object, llvm::StringRef output);

struct ProgramParts {
  llvm::StringRef object;
  llvm::StringRef prefix;    // of the model's symbols
  llvm::StringRef compiler;  // a C compiler for the object's target, which is the host
};

/// Compiles the generic main and links it with the object and the runtime into the program `output`.
llvm::Error linkProgram(const ProgramParts &parts, llvm::StringRef output);

} // namespace cameo

#endif
