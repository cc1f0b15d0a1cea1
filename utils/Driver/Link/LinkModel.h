// From an object file to something that runs: a shared library, or a program with a generic main.
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

/// Bytes that no linker needs to see: `object` has a section for them without contents.
struct LateContents {
  std::string symbol; // where they begin
  uint64_t bytes = 0;
  llvm::function_ref<void(llvm::raw_ostream &)> write;
};

struct LibraryParts {
  llvm::StringRef object;              // its file
  llvm::ArrayRef<std::string> externs; // files with functions that it calls
  bool forHost;                        // whether for the machine this program runs on
  LateContents late;                   // what is written to the library once it is linked
};

/// Links the parts into a shared library with the linker inside this program, and writes it to `os`, whose errors are
/// the caller's to find. For the host, the runtime's ABI symbol goes into the library; for another target it stays
/// undefined.
llvm::Error linkSharedLibrary(const LibraryParts &parts, llvm::raw_ostream &os);

/// Links a candidate of the tuner, whose object file has the bytes `object`, for a process that has the runtime and the
/// C library, as cameo-worker has. One at a time: the linker keeps its state in globals.
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
