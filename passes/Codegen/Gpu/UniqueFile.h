// Creates files with unique names in folders of any name. LLVM's own functions also replace each '%' in the name of the
// folder.
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

/// Creates an empty file with access only for its owner, whose path is `begin`, six random letters and `end`. The
/// caller removes it. A signal that ends the process also removes it, until llvm::sys::DontRemoveFileOnSignal is
/// called.
llvm::Expected<UniqueFile> createUniqueFile(const llvm::Twine &begin, llvm::StringRef end = "");

} // namespace cameo

#endif
