// How much of what a compiled model takes.
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
  /// What there is for one processor.
  struct Variant {
    std::string cpu;                // empty where the object is for one alone
    int64_t code = 0;               // bytes of functions
    int64_t weights = 0, arena = 0; // of a model: bytes that they read, others perhaps, too, and that they need
    std::map<std::string, int64_t, std::less<>> taskCode; // bytes by name of the task
    std::optional<MemoryUse> memory;                      // of a model: an object does not say

    /// " for x86-64-v3": what tells several apart.
    std::string forCpu() const { return cpu.empty() ? "" : " for " + cpu; }
    int64_t codeOf(llvm::StringRef task) const {
      auto found = taskCode.find(task);
      return found == taskCode.end() ? 0 : found->second;
    }
  };
  std::string target;              // "triple, CPU"; of an object its architecture
  int64_t code = 0, constants = 0; // bytes that are loaded, without weights
  int64_t weights = 0;             // bytes, in the object or in a file
  bool hasExternalWeights = false;
  std::vector<Variant> variants; // one at least; those first that a program prefers

  int64_t text() const { return code + constants; }
  /// Whose arena a workspace has room for.
  const Variant &largestArena() const;
};

/// Runs the last phases for one target, and adds what they make of its memory.
llvm::LogicalResult planMemory(PhaseRunner &phases, std::vector<MemoryUse> &memory);

/// What the object at `path`, or the shared library, holds. An error names the file.
llvm::Expected<ModelSize> measureObject(llvm::StringRef path);

/// What was generated for a model with this use of memory for each of its targets; or, without it, as much as the code
/// says.
llvm::Expected<ModelSize> measureCode(GeneratedCode &code, std::vector<MemoryUse> memory);

/// Says, as remarks, what each of several variants takes.
void reportVariants(const ModelSize &size);

/// What the code of all targets of `phases` takes, of which the phases that are left are run. None after a reported
/// error.
std::optional<ModelSize> measurePhases(PhaseRunner &phases, llvm::StringRef model);

/// Compiles `options.model`, and writes nothing. None after a reported error.
std::optional<ModelSize> measureModel(const CompileOptions &options);

} // namespace cameo

#endif
