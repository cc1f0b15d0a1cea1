// How much of what a compiled model takes.
#ifndef CAMEO_UTILS_DRIVER_MODELSIZE_H
#define CAMEO_UTILS_DRIVER_MODELSIZE_H

#include "passes/Codegen/GenerateCode.h"
#include "utils/Driver/CompileOptions.h"
#include "utils/Driver/MemoryUse.h"

#include "llvm/Support/Error.h"

#include <map>

namespace cameo {

struct ModelSize {
  std::string target;                 // "triple, CPU"; of an object its architecture
  int64_t code = 0, constants = 0;    // bytes that are loaded, without weights
  int64_t weights = 0;                // bytes, in the object or in a file
  bool hasExternalWeights = false;
  std::map<std::string, int64_t, std::less<>> taskCode; // bytes by name of the task
  std::optional<MemoryUse> memory;    // of a model: an object does not say

  int64_t text() const { return code + constants; }
  int64_t codeOf(llvm::StringRef task) const {
    auto found = taskCode.find(task);
    return found == taskCode.end() ? 0 : found->second;
  }
};

/// What the object at `path`, or the shared library, holds. An error names the file.
llvm::Expected<ModelSize> measureObject(llvm::StringRef path);

/// What was generated for a model with this use of memory.
llvm::Expected<ModelSize> measureCode(GeneratedCode &code, MemoryUse memory);

/// Compiles `options.model`, and writes nothing. None after a reported error.
std::optional<ModelSize> measureModel(const CompileOptions &options);

} // namespace cameo

#endif
