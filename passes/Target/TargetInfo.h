// The processor that code is generated for: how LLVM names it, and what schedules must know of it.
#ifndef CAMEO_PASSES_TARGET_TARGETINFO_H
#define CAMEO_PASSES_TARGET_TARGETINFO_H

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

/// What multiplies bytes and adds groups of four products to 32 bits exactly, nothing saturated.
enum class ByteProducts {
  None,             ///< plain multiplications
  Pairs,            ///< x86: vpmaddwd, on pairs of 16 bits
  UnsignedBySigned, ///< x86 with VNNI: vpdpbusd; Pairs for other signs
  SameSign,         ///< AArch64 with dot products: sdot and udot
  AnySigns          ///< AArch64 with i8mm: usdot as well
};

/// Features of a processor in the words in which it tells them, as cameo_cpu of abi.h has them.
using CpuFeatures = std::array<uint32_t, 8>;

struct TargetInfo {
  std::string triple;
  std::string cpu;
  std::string features;         ///< as LLVM writes them: "+avx2,+fma,..."
  int64_t vectorBytes = 16;     ///< of one vector register
  int64_t vectorRegisters = 16; ///< number of vector registers
  int64_t l1Bytes = 32 << 10;   ///< first-level data cache of one core; 32 KiB where it is not known
  int64_t l1Ways = 8;           ///< lines that a set of it holds
  int64_t l2Bytes = 1 << 20;    ///< second-level cache of one core; 1 MiB where it is not known
  double multiplyAdds = 2;      ///< of whole vectors that a core begins in one cycle
  double farBytesPerCycle = 4;  ///< what a core reads from the cache beyond its second level
  bool fusedMultiplyAdd = false;
  bool dividesFast = false; ///< a division of vectors takes no longer than an estimate of it with what is computed beside
  bool floatExtrema = false; ///< the larger and the smaller of two floats are instructions that pass NaN on
  ByteProducts byteProducts = ByteProducts::None;
  bool isHostArchitecture = false; ///< programs of this machine can be linked with the object
  bool isHost = false;             ///< and the processor is this machine's
  CpuFeatures required = {};       ///< what a program asks for before it takes this code: only where there are several targets
};

/// The target of `triple` and `cpu`; empty means the host's triple, and its CPU or the triple's baseline. An error names
/// what is unknown and lists what would be valid.
llvm::Expected<TargetInfo> resolveTarget(llvm::StringRef triple, llvm::StringRef cpu);

/// LLVM's code generator for `target`: position-independent, optimising fully. Never null for a resolved target.
std::unique_ptr<llvm::TargetMachine> createTargetMachine(const TargetInfo &target);

/// The vector extensions of `target` that its schedules and kernels may depend on, as LLVM names them, in one order.
std::vector<std::string> vectorExtensions(const TargetInfo &target);

} // namespace cameo

#endif
