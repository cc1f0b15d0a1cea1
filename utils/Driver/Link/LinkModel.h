// Links an object file to a shared library, or to a program with a generic main.
#ifndef CAMEO_UTILS_DRIVER_LINK_LINKMODEL_H
#define CAMEO_UTILS_DRIVER_LINK_LINKMODEL_H

#include "utils/Driver/Run/UnnamedFile.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

#include <string>
#include <vector>

namespace cameo {

/// Contents that are added after linking: `object` has an empty section of their size.
struct LateContents {
  std::string symbol; // symbol at their start
  uint64_t bytes = 0;
  llvm::function_ref<void(llvm::raw_ostream &)> write;
};

struct LibraryParts {
  llvm::StringRef object;              // contents of the object file
  llvm::ArrayRef<std::string> externs; // files with functions that the object calls
  bool forHost;                        // whether the target is this machine
  LateContents late;                   // contents that are written to the library after linking
};

/// Links the parts to a shared library with the built-in linker, and writes it to `os`; the caller checks `os` for
/// errors. For the host, the runtime's ABI symbol is linked into the library; for another target it stays undefined.
llvm::Error linkSharedLibrary(const LibraryParts &parts, llvm::raw_ostream &os);

/// Links a candidate of the tuner from the object file `object`. The process that loads it provides the runtime and the
/// C library, like cameo-worker. Not thread-safe: the linker keeps its state in globals.
llvm::Expected<std::vector<char>> linkCandidate(llvm::StringRef object);

struct ProgramParts {
  const UnnamedFile &object;
  llvm::StringRef name;                // of the program, for errors
  llvm::StringRef prefix;              // of the model's symbols
  llvm::StringRef compiler;            // a C compiler for the object's target, which is the host
  llvm::ArrayRef<std::string> externs; // files with functions that the object calls
  bool isForGpu = false;               // whether a GPU runs the model
};

/// Compiles the generic main and links it with the object and the runtime into the program `output`.
llvm::Error linkProgram(const ProgramParts &parts, llvm::StringRef output);

} // namespace cameo

#endif
