// Options of code generation.
#ifndef CAMEO_PASSES_CODEGEN_CODEGENOPTIONS_H
#define CAMEO_PASSES_CODEGEN_CODEGENOPTIONS_H

#include "passes/Target/TargetInfo.h"

#include <functional>
#include <string>

namespace llvm {
class raw_pwrite_stream;
}

namespace cameo {

/// The form of GPU kernels in the object. `Auto`: PTX, and machine code of the architecture if NVIDIA's assembler is
/// found. `Ptx`, `Binary`: only PTX, only machine code. `Host`: code of the host, for the emulator.
enum class GpuCode { Auto, Ptx, Binary, Host };

/// How a run launches its kernels: `Dispatch`: one launch for each kernel; `Persistent`: one launch of a persistent
/// kernel, whose blocks stay on the device until the run is done; `Auto`: whichever is estimated to be faster.
enum class GpuLaunch { Dispatch, Persistent, Auto };

/// What is verified while code is generated: `Code`: the LLVM IR before LLVM's passes; `Passes`: also what each pass
/// makes, which takes as long as the conversions themselves.
enum class Verification { None, Code, Passes };

struct CodegenOptions {
  std::vector<TargetInfo> targets; ///< all of one triple; with several, a run takes the first one whose features the
                                   ///< machine has
  std::string prefix;              ///< prefix of all symbols, a C identifier
  std::string modelName;           ///< name of the model in its description
  bool externalWeights = false;    ///< write the weights to a separate file, which the program maps
  bool externalIfLarge = false;    ///< use external weights if the object cannot hold the weights
  uint64_t largestWeights =
      uint64_t(2) << 30;    ///< limit in bytes for weights in the object: code addresses them by 32-bit displacements
  uint64_t weightsHash = 0; ///< hash of external weights; 0: compute it, which reads all weights
  llvm::raw_pwrite_stream *weightsFile = nullptr; ///< external weights are written to this file while they are hashed;
                                                  ///< null: they are not written then
  Verification verification = Verification::Code;
  bool isReference = false; ///< compile the naive path: with little work, the code compiles fast instead of running
                            ///< fast
  std::string onlyTask; ///< key of the only task whose kernels are generated, for inspection; "" for the whole model

  std::vector<const GpuMachine *> gpus; ///< GPUs that the object has code for; empty: the model runs on the CPU
  GpuCode gpuCode = GpuCode::Auto;
  GpuLaunch gpuLaunch = GpuLaunch::Dispatch;
  bool gpuDependentLaunch = false; ///< launches may begin before earlier ones have ended, on GPUs that have this
  std::string ptxas;               ///< path of ptxas; "": search for it
  std::string ptxasCache;          ///< cache folder for the output of ptxas; "": no cache
  bool reportsKernels = false;     ///< emit remarks about the registers and memory that kernels use
  std::function<llvm::Expected<std::vector<char>>(llvm::StringRef)>
      linkImage; ///< links an object to a shared library; only for GpuCode::Host

  bool hasChoice() const { return targets.size() > 1; }
};

} // namespace cameo

#endif
