// The processor that code is generated for: how LLVM names it, and what schedules must know of it (Machine).
#ifndef CAMEO_PASSES_TARGET_TARGETINFO_H
#define CAMEO_PASSES_TARGET_TARGETINFO_H

#include "dialects/Target/GpuMachine.h"
#include "dialects/Target/Machine.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace llvm {
class TargetMachine;
} // namespace llvm

namespace cameo {

/// Features of a processor in the words in which it tells them, as cameo_cpu of abi.h has them.
using CpuFeatures = std::array<uint32_t, 8>;

struct TargetInfo : Machine {
  std::string triple;
  std::string cpu;
  std::string features;            ///< as LLVM writes them: "+avx2,+fma,..."
  bool isHostArchitecture = false; ///< programs of this machine can be linked with the object
  bool isHost = false;             ///< and the processor is this machine's
  const GpuMachine *gpu = nullptr; ///< the device that kernels run on; null: the processor
  CpuFeatures required =
      {}; ///< what a program asks for before it takes this code: only where there are several targets
};

/// The target of `triple` and `cpu`; empty means the host's triple, and its CPU or the triple's baseline. An error
/// names what is unknown and lists what would be valid.
llvm::Expected<TargetInfo> resolveTarget(llvm::StringRef triple, llvm::StringRef cpu);

/// LLVM's code generator for `target`: position-independent, optimising fully. Never null for a resolved target.
std::unique_ptr<llvm::TargetMachine> createTargetMachine(const TargetInfo &target);

/// The vector extensions of `target` that its schedules and kernels may depend on, as LLVM names them, in one order.
std::vector<std::string> vectorExtensions(const TargetInfo &target);

/// What runs kernels, as records name it: the processor and its vector extensions, or the GPU, whose triple is that of
/// LLVM and whose only extension is its architecture, with the math where that is not f32: "sm_80/tf32".
struct KernelProcessor {
  std::string triple, cpu;
  std::vector<std::string> extensions;
};
KernelProcessor kernelProcessor(const TargetInfo &target);

} // namespace cameo

#endif
