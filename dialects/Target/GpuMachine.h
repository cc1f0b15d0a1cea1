// The properties of an NVIDIA GPU that schedules and kernels depend on.
#ifndef CAMEO_DIALECTS_TARGET_GPUMACHINE_H
#define CAMEO_DIALECTS_TARGET_GPUMACHINE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <string>

namespace cameo {

/// The type in which a device multiplies float32 operands. All but the first use matrix units, which accumulate in
/// float32.
enum class GpuMath {
  F32,    ///< float32
  Tf32x3, ///< each operand as the sum of two tf32 numbers: three of the four products of these
  Tf32,   ///< operands rounded to tf32, which has the exponents of float32 and the precision of float16
  F16,    ///< operands rounded to float16
  Bf16    ///< operands rounded to bfloat16
};

/// A device, or an architecture with the properties of its best-known device.
struct GpuMachine {
  llvm::StringLiteral name;         ///< "h100", or the architecture
  llvm::StringLiteral architecture; ///< as LLVM and ptxas name it: "sm_90a"
  unsigned ptxVersion;              ///< lowest version that has the instructions in use; 80 for 8.0
  int64_t processors;               ///< number of streaming multiprocessors
  int64_t sharedBytes;              ///< most shared memory of a block on this device
  int64_t registers;                ///< 32-bit registers of a multiprocessor
  int64_t l2Bytes;                  ///< second-level cache of the device
  int64_t megahertz;                ///< highest clock that the data sheet states
  int64_t memoryGigabytes;          ///< 10^9 bytes per second of device memory, by the data sheet
  int64_t threadProducts;           ///< float32 multiply-adds of a multiprocessor's threads per cycle
  int64_t matrixProducts;           ///< float16 multiply-adds with sums in float32 per cycle of its matrix units, by
                                    ///< mma.sync
  GpuMath math = GpuMath::F32;      ///< the option of the user
  int64_t blockSharedBytes = 0;     ///< most shared memory of a block wherever the object may run, `leastSharedBytes`

  static constexpr int64_t warpThreads = 32, mostThreads = 1024; ///< threads of a warp, most threads of a block
  /// Most shared memory of a block that asks for nothing when it is launched.
  static constexpr int64_t staticSharedBytes = 48 << 10;

  /// Returns 80 for sm_80, 90 for sm_90a.
  unsigned getCapability() const;
  /// Returns the most blocks of a cluster, which run at once and read each other's shared memory, that every device of
  /// this architecture takes; 1: it has no clusters.
  int64_t mostClusterBlocks() const;
  /// Returns how many multiprocessors have blocks where clusters have `clusterBlocks` of them. The multiprocessors of a
  /// cluster are in one of the groups that share a part of the device, which are not all equally large.
  int64_t processorsFor(int64_t clusterBlocks) const;
  /// Whether the code runs on devices of this compute capability only, as for sm_90a.
  bool isSpecific() const { return architecture.ends_with("a"); }
};

/// Returns all machines, in the order in which they are listed.
llvm::ArrayRef<GpuMachine> gpuMachines();

/// Returns the machine of that name, with `math` and `blockSharedBytes`, where 0 means those of an object that has code
/// for this machine alone. The error of an unknown name lists all names, and that of other bytes the possible ones.
llvm::Expected<const GpuMachine *> findGpu(llvm::StringRef name, GpuMath math = GpuMath::F32,
                                           int64_t blockSharedBytes = 0);

/// Returns the most shared memory of a block that all devices have which an object with code for `gpus` is for: a
/// device that is named, or all that can run the code of an architecture.
int64_t leastSharedBytes(llvm::ArrayRef<const GpuMachine *> gpus);

/// Returns "sm_80, sm_86, ...".
std::string gpuNames();

/// Returns "f32", "3xtf32", "tf32", "f16" and "bf16", in the order of GpuMath.
llvm::ArrayRef<llvm::StringLiteral> gpuMathNames();
llvm::StringRef nameOf(GpuMath math);

/// Returns the math of that name. The error of an unknown name lists all names.
llvm::Expected<GpuMath> findGpuMath(llvm::StringRef name);

} // namespace cameo

#endif
