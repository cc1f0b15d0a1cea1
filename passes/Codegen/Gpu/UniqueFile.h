// Files with names that no other has, in folders of any name: LLVM's functions for such files replace each '%' of the
// folder, too.
#ifndef CAMEO_PASSES_CODEGEN_GPU_UNIQUEFILE_H
#define CAMEO_PASSES_CODEGEN_GPU_UNIQUEFILE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace cameo {

struct UniqueFile {
  int descriptor; ///< the caller closes it
  std::string path;
};

/// Makes an empty file for the owner alone, whose path is `begin`, six letters and `end`. The caller removes it; a
/// signal that ends the process does so, too, until llvm::sys::DontRemoveFileOnSignal.
llvm::Expected<UniqueFile> createUniqueFile(const llvm::Twine &begin, llvm::StringRef end = "");

} // namespace cameo

#endif
