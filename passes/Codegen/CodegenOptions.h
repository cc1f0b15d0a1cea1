// What the last phase is told besides the module.
#ifndef CAMEO_PASSES_CODEGEN_CODEGENOPTIONS_H
#define CAMEO_PASSES_CODEGEN_CODEGENOPTIONS_H

#include "passes/Target/TargetInfo.h"

#include <string>

namespace llvm {
class raw_pwrite_stream;
}

namespace cameo {

struct CodegenOptions {
  std::vector<TargetInfo> targets; ///< of one triple; of several a run takes the first whose features the machine has
  std::string prefix;           ///< of all symbols, a C identifier
  std::string modelName;        ///< for the description
  bool externalWeights = false; ///< the weights go to a file of their own, which the program maps
  bool externalIfLarge = false; ///< they do so if an object cannot hold them
  uint64_t largestWeights = uint64_t(2) << 30; ///< an object holds less bytes than so many: distances in code have 32 bits
  uint64_t weightsHash = 0;     ///< of external weights; 0: computed from them, which takes reading them all
  llvm::raw_pwrite_stream *weightsFile = nullptr; ///< external weights are written there as they are hashed; null: nowhere yet
  bool verifiesPasses = true;   ///< looks at the IR between passes, which takes as long as the conversions themselves
  std::string onlyTask;         ///< key of the task whose kernels alone are generated, to be read; "" for the whole model

  bool hasChoice() const { return targets.size() > 1; }
};

} // namespace cameo

#endif
