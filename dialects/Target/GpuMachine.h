// What schedules and kernels must know of an NVIDIA GPU.
#ifndef CAMEO_DIALECTS_TARGET_GPUMACHINE_H
#define CAMEO_DIALECTS_TARGET_GPUMACHINE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <string>

namespace cameo {

/// What a device multiplies where a model has float32. All but the first are for matrix units, which add up in float32.
enum class GpuMath {
  F32,    ///< numbers as they are
  Tf32x3, ///< each as the sum of two numbers of tf32: three of the four products of these
  Tf32,   ///< numbers rounded to tf32, which has the exponents of float32 and the precision of float16
  F16,    ///< to float16
  Bf16    ///< to bfloat16
};

/// A device, or an architecture with the numbers of the device that it is best known for.
struct GpuMachine {
  llvm::StringLiteral name;         ///< "h100", or the architecture
  llvm::StringLiteral architecture; ///< as LLVM and ptxas name it: "sm_90a"
  unsigned ptxVersion;              ///< of the instructions that are used, 80 for 8.0
  int64_t processors;               ///< streaming multiprocessors
  int64_t sharedBytes;              ///< shared memory that a block may have
  int64_t registers;                ///< of 32 bits, of a multiprocessor
  int64_t l2Bytes;                  ///< second-level cache of the device
  GpuMath math = GpuMath::F32;      ///< as the user wants it

  static constexpr int64_t warpThreads = 32, mostThreads = 1024; ///< of a warp, and the most of a block

  /// 80 of sm_80, 90 of sm_90a.
  unsigned getCapability() const;
  /// Whether the code runs on devices of this compute capability alone, as that of sm_90a does.
  bool isSpecific() const { return architecture.ends_with("a"); }
};

/// All of them, in the order in which they are listed.
llvm::ArrayRef<GpuMachine> gpuMachines();

/// The one of that name, with `math`. An error lists what there is.
llvm::Expected<const GpuMachine *> findGpu(llvm::StringRef name, GpuMath math = GpuMath::F32);

/// "sm_80, sm_86, ...".
std::string gpuNames();

/// "f32", "3xtf32", "tf32", "f16" and "bf16", in the order of GpuMath.
llvm::ArrayRef<llvm::StringLiteral> gpuMathNames();
llvm::StringRef nameOf(GpuMath math);

/// The one of that name. An error lists what there is.
llvm::Expected<GpuMath> findGpuMath(llvm::StringRef name);

} // namespace cameo

#endif
