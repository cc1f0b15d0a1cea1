// The code of a model's kernels for a GPU, or for the host in place of one.
#ifndef CAMEO_PASSES_CODEGEN_GPU_DEVICECODE_H
#define CAMEO_PASSES_CODEGEN_GPU_DEVICECODE_H

#include "passes/Codegen/CodegenOptions.h"
#include "passes/Codegen/Gpu/RunPtxas.h"
#include "passes/Codegen/Plan/ModelPlan.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

namespace cameo {

/// Variables of an image for the emulator (utils/gpu/emulator): the number of the thread that runs, of its block, and
/// the function that it calls at a barrier.
constexpr llvm::StringLiteral emulatedThreadName = "cameo_emulated_thread", emulatedBlockName = "cameo_emulated_block",
                              emulatedBarrierName = "cameo_emulated_barrier";

/// The same in a persistent kernel: how many blocks run, and functions that it calls at a barrier of the first so many
/// threads, to read a counter and be behind what it says, and to add to it what it says of the block.
constexpr llvm::StringLiteral emulatedGridName = "cameo_emulated_grid",
                              emulatedBarrierOfName = "cameo_emulated_barrier_of",
                              emulatedAcquireName = "cameo_emulated_acquire",
                              emulatedReleaseName = "cameo_emulated_release";

/// The function that a kernel calls for task.arrive.
constexpr llvm::StringLiteral emulatedArriveName = "cameo_emulated_arrive";

/// Functions that it calls to begin a copy past registers, to end a group of these, and to wait until but so many of
/// the youngest groups have arrived.
constexpr llvm::StringLiteral emulatedCopyName = "cameo_emulated_copy", emulatedCommitName = "cameo_emulated_commit",
                              emulatedAwaitName = "cameo_emulated_await";

/// Functions that all threads of a warp call: the one reads matrices of 8 rows of 16 bytes, the other multiplies 16 x
/// 16 by 16 x 8 of f16 or bf16, 16 x 8 by 8 x 8 of tf32, or 16 x 32 by 32 x 8 of bytes, each thread with its registers
/// in memory.
constexpr llvm::StringLiteral emulatedLoadMatricesName = "cameo_emulated_load_matrices",
                              emulatedMultiplyName = "cameo_emulated_multiply";

/// The function that kernels whose name ends so call before each access to memory.
constexpr llvm::StringLiteral emulatedAccessName = "cameo_emulated_access", emulatedCheckedSuffix = ".checked";

/// A table of an image with such a name behind that of a kernel: how many bytes its arguments have, and a zero.
constexpr llvm::StringLiteral emulatedBytesSuffix = ".argument_bytes";

/// The section of an image that holds the shared memory of blocks, which run one after the other.
constexpr llvm::StringLiteral emulatedSharedName = "cameo_shared";

struct DeviceKernel {
  std::string name;             ///< as the driver finds it
  int64_t threads;              ///< of a block
  std::string nodes;            ///< that it is part of, in words for people
  std::optional<unsigned> task; ///< of the plan
};

/// The code of all kernels for one architecture.
struct DeviceImage {
  const GpuMachine *gpu;
  std::unique_ptr<llvm::Module> optimized;
  std::string ptx;                   ///< empty for the host
  llvm::SmallVector<char, 0> binary; ///< of the GPU, or a shared library of the host; empty: there is PTX alone
  std::vector<KernelUse> uses;       ///< what the assembler says of kernels
};

struct DeviceCode {
  std::unique_ptr<llvm::LLVMContext> context; ///< of the modules
  std::vector<DeviceKernel> kernels;          ///< in order of their first use; one alone where it is persistent
  bool isPersistent = false;                  ///< whether that does all steps of the plan
  llvm::StringMap<uint32_t> kernelNumbers;    ///< by the names that the plan has
  std::vector<DeviceImage> images;            ///< in the order of the options; one for the host
  std::unique_ptr<llvm::TargetMachine> host;  ///< the code generator where the host stands in for GPUs

  /// PTX, or the assembly of the host, which is made only when it is asked for.
  std::string assemblyOf(const DeviceImage &image) const;
};

/// Generates the code of `module`, after passes/Memory, which holds LLVM afterwards. Fails after a diagnostic, also on
/// what GPUs cannot do yet.
mlir::FailureOr<DeviceCode> generateDeviceCode(mlir::ModuleOp module, const ModelPlan &plan,
                                               const CodegenOptions &options);

} // namespace cameo

#endif
