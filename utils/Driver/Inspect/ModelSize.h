// Measures the size of a compiled model by kind.
#ifndef CAMEO_UTILS_DRIVER_INSPECT_MODELSIZE_H
#define CAMEO_UTILS_DRIVER_INSPECT_MODELSIZE_H

#include "passes/Codegen/GenerateCode.h"
#include "utils/Driver/Budgets/MemoryUse.h"
#include "utils/Driver/CompileOptions.h"

#include "llvm/Support/Error.h"

#include <map>

namespace cameo {

class PhaseRunner;

struct ModelSize {
  /// The sizes for one processor.
  struct Variant {
    std::string cpu;                // empty if the object is for a single processor
    int64_t code = 0;               // bytes of functions
    int64_t weights = 0, arena = 0; // for a model: bytes of weights that this variant reads, maybe shared with others,
                                    // and of its arena
    std::map<std::string, int64_t, std::less<>> taskCode; // bytes by task name
    std::optional<MemoryUse> memory;                      // for a model; unknown for an object file

    /// Returns " for x86-64-v3" if there are several variants, else "".
    std::string forCpu() const { return cpu.empty() ? "" : " for " + cpu; }
    int64_t codeOf(llvm::StringRef task) const {
      auto found = taskCode.find(task);
      return found == taskCode.end() ? 0 : found->second;
    }
  };
  std::string target;              // "triple, CPU"; for an object file its architecture
  int64_t code = 0, constants = 0; // bytes that are loaded, except weights
  int64_t weights = 0;             // bytes, in the object or in a file
  bool hasExternalWeights = false;
  std::vector<Variant> variants; // at least one, in order of preference at run time

  int64_t text() const { return code + constants; }
  /// Returns the variant with the largest arena, which the workspace has room for.
  const Variant &largestArena() const;
};

/// Runs the remaining phases for one target, and appends its memory use to `memory`.
llvm::LogicalResult planMemory(PhaseRunner &phases, std::vector<MemoryUse> &memory);

/// Returns the sizes of the object file or shared library at `path`. Errors name the file.
llvm::Expected<ModelSize> measureObject(llvm::StringRef path);

/// Returns the sizes of generated code. `memory` holds the memory use for each target; if it is empty, the result has
/// only the sizes that the code shows.
llvm::Expected<ModelSize> measureCode(GeneratedCode &code, std::vector<MemoryUse> memory);

/// Reports the sizes of each of several variants as remarks.
void reportVariants(const ModelSize &size);

/// Runs the remaining phases and returns the sizes of the code for all targets of `phases`. Returns nothing after a
/// reported error.
std::optional<ModelSize> measurePhases(PhaseRunner &phases, llvm::StringRef model);

/// Compiles `options.model` without writing files. Returns nothing after a reported error.
std::optional<ModelSize> measureModel(const CompileOptions &options);

} // namespace cameo

#endif
