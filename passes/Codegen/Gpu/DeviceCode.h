// Generates the code of a model's kernels for a GPU, or for the host if the emulator runs them.
#ifndef CAMEO_PASSES_CODEGEN_GPU_DEVICECODE_H
#define CAMEO_PASSES_CODEGEN_GPU_DEVICECODE_H

#include "passes/Codegen/CodegenOptions.h"
#include "passes/Codegen/Gpu/RunPtxas.h"
#include "passes/Codegen/Plan/ModelPlan.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

namespace cameo {

/// Variables of an image for the emulator (utils/gpu/emulator): the number of the running thread, the number of its
/// block, and the function that a thread calls at a barrier.
constexpr llvm::StringLiteral emulatedThreadName = "cameo_emulated_thread", emulatedBlockName = "cameo_emulated_block",
                              emulatedBarrierName = "cameo_emulated_barrier";

/// Variables of an image with a persistent kernel: the number of blocks that run, and functions for a barrier of the
/// first N threads, for an acquire load of a counter, and for a release addition to a counter.
constexpr llvm::StringLiteral emulatedGridName = "cameo_emulated_grid",
                              emulatedBarrierOfName = "cameo_emulated_barrier_of",
                              emulatedAcquireName = "cameo_emulated_acquire",
                              emulatedReleaseName = "cameo_emulated_release";

/// The function that a kernel calls for task.arrive.
constexpr llvm::StringLiteral emulatedArriveName = "cameo_emulated_arrive";

/// Functions for task.meet_cluster and task.read_neighbour: the latter takes the address, the number of the block, and
/// how many numbers of 32 bits it reads to memory.
constexpr llvm::StringLiteral emulatedMeetClusterName = "cameo_emulated_meet_cluster",
                              emulatedReadNeighbourName = "cameo_emulated_read_neighbour";

/// Functions for asynchronous copies: begin a copy, commit a group of copies, and wait until at most N of the newest
/// groups are still pending.
constexpr llvm::StringLiteral emulatedCopyName = "cameo_emulated_copy", emulatedCommitName = "cameo_emulated_commit",
                              emulatedAwaitName = "cameo_emulated_await";

/// Functions that all threads of a warp call. The first loads matrices of 8 rows of 16 bytes. The second multiplies
/// matrices: 16 x 16 by 16 x 8 for f16 or bf16, 16 x 8 by 8 x 8 for tf32, 16 x 32 by 32 x 8 for bytes. Each thread
/// passes its registers in memory.
constexpr llvm::StringLiteral emulatedLoadMatricesName = "cameo_emulated_load_matrices",
                              emulatedMultiplyName = "cameo_emulated_multiply";

/// The function that a thread calls to wait for earlier launches.
constexpr llvm::StringLiteral emulatedWaitName = "cameo_emulated_wait";

/// The begin of shared memory, from which its addresses count, and functions for task.multiply_group and
/// task.await_products: start a product, whose matrices have descriptors as on a GPU, order what has written its sums
/// before it, commit a group of products, wait until at most N groups are under way, and make what the thread has
/// written to shared memory visible to products.
constexpr llvm::StringLiteral emulatedSharedBeginName = "cameo_emulated_shared_begin",
                              emulatedMultiplyGroupName = "cameo_emulated_multiply_group",
                              emulatedFenceProductsName = "cameo_emulated_fence_products",
                              emulatedCommitProductsName = "cameo_emulated_commit_products",
                              emulatedAwaitProductsName = "cameo_emulated_await_products",
                              emulatedPublishName = "cameo_emulated_publish";

/// The function that kernels with this suffix call before each memory access.
constexpr llvm::StringLiteral emulatedAccessName = "cameo_emulated_access", emulatedCheckedSuffix = ".checked";

/// Suffix of the table that holds the number of bytes of each argument of a kernel, and a final zero.
constexpr llvm::StringLiteral emulatedBytesSuffix = ".argument_bytes";

/// Suffix of the number of bytes of shared memory that a launch of a kernel must ask for, of kernels that need any.
constexpr llvm::StringLiteral emulatedDynamicSuffix = ".dynamic_bytes";

/// Suffix of the number of blocks of a cluster, of kernels that have clusters.
constexpr llvm::StringLiteral emulatedClusterSuffix = ".cluster_blocks";

/// The section of an image for shared memory, which blocks use one after the other.
constexpr llvm::StringLiteral emulatedSharedName = "cameo_shared";

/// Returns the symbol by which the driver finds the kernel `kernel` of a plan, the one with this number in order of
/// first use. Identifiers of PTX consist of letters, digits, _ and $; the number keeps shortened names unique, because
/// tasks of many nodes have long names.
std::string deviceNameOf(llvm::StringRef kernel, size_t number);

struct DeviceKernel {
  std::string name;             ///< symbol by which the driver finds it
  int64_t threads;              ///< threads per block
  std::string nodes;            ///< nodes that the kernel computes, for messages
  std::optional<unsigned> task; ///< number of the task in the plan
  llvm::BitVector constants;    ///< for each argument, whether it is constant in all launches
  uint64_t dynamicBytes = 0;    ///< shared memory that a launch must ask for
};

/// The code of all kernels for one architecture.
struct DeviceImage {
  const GpuMachine *gpu;
  std::unique_ptr<llvm::Module> optimized;
  std::string ptx;                   ///< empty if the code is for the host
  llvm::SmallVector<char, 0> binary; ///< machine code of the GPU, or a shared library of the host; empty: only PTX
  std::vector<KernelUse> uses;       ///< resource use of the kernels, as ptxas reports it
  bool dependentLaunch = false;      ///< whether kernels wait for earlier launches, so that theirs may begin before
};

struct DeviceCode {
  std::unique_ptr<llvm::LLVMContext> context; ///< owns the types of all modules
  std::vector<DeviceKernel> kernels;          ///< in order of their first use; a single one if it is persistent
  bool isPersistent = false;                  ///< whether the single kernel executes all steps of the plan
  llvm::StringMap<uint32_t> kernelNumbers;    ///< numbers of the kernels, by their names in the plan
  std::vector<DeviceImage> images;            ///< in the order of the options; one for the host
  std::unique_ptr<llvm::TargetMachine> host;  ///< the code generator where the host stands in for GPUs

  /// Returns the PTX of `image`. For the host, generates assembly on each call.
  std::string assemblyOf(const DeviceImage &image) const;
};

/// Generates the code of `module`, a module after passes/Memory, which this leaves in the LLVM dialect. Fails after a
/// diagnostic, also for features that GPUs do not support yet.
mlir::FailureOr<DeviceCode> generateDeviceCode(mlir::ModuleOp module, const ModelPlan &plan,
                                               const CodegenOptions &options);

} // namespace cameo

#endif
