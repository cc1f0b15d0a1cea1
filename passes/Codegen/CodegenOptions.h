// What the last phase is told besides the module.
#ifndef CAMEO_PASSES_CODEGEN_CODEGENOPTIONS_H
#define CAMEO_PASSES_CODEGEN_CODEGENOPTIONS_H

#include "passes/Target/TargetInfo.h"

#include <functional>
#include <string>

namespace llvm {
class raw_pwrite_stream;
}

namespace cameo {

/// What the code of kernels for a GPU is in the object: the architecture's own where NVIDIA's assembler is found, and
/// PTX; one of them alone; or, for the emulator, the host's.
enum class GpuCode { Auto, Ptx, Binary, Host };

/// How the kernels of a run are launched on a GPU: each by itself, or all of them as one that stays on the device until
/// the run is done.
enum class GpuLaunch { Dispatch, Persistent, Auto };

struct CodegenOptions {
  std::vector<TargetInfo> targets; ///< of one triple; of several a run takes the first whose features the machine has
  std::string prefix;              ///< of all symbols, a C identifier
  std::string modelName;           ///< for the description
  bool externalWeights = false;    ///< the weights go to a file of their own, which the program maps
  bool externalIfLarge = false;    ///< they do so if an object cannot hold them
  uint64_t largestWeights =
      uint64_t(2) << 30;    ///< an object holds less bytes than so many: distances in code have 32 bits
  uint64_t weightsHash = 0; ///< of external weights; 0: computed from them, which takes reading them all
  llvm::raw_pwrite_stream *weightsFile =
      nullptr;                ///< external weights are written there as they are hashed; null: nowhere yet
  bool verifiesPasses = true; ///< looks at the IR between passes, which takes as long as the conversions themselves
  bool isReference =
      false;            ///< the naive path: where it has little to do, its code is made quickly instead of being quick
  std::string onlyTask; ///< key of the task whose kernels alone are generated, to be read; "" for the whole model

  std::vector<const GpuMachine *> gpus; ///< the object has code for each; none: the processor runs the model
  GpuCode gpuCode = GpuCode::Auto;
  GpuLaunch gpuLaunch = GpuLaunch::Dispatch;
  std::string ptxas;           ///< the assembler; "" for the one that is found
  std::string ptxasCache;      ///< folder of what it made before; "" for none
  bool reportsKernels = false; ///< remarks on what kernels use
  std::function<llvm::Expected<std::vector<char>>(llvm::StringRef)>
      linkImage; ///< makes a shared library of an object; only for GpuCode::Host

  bool hasChoice() const { return targets.size() > 1; }
};

} // namespace cameo

#endif
