// Emits a persistent kernel, which executes all steps of a run: its blocks stay on the device and execute the steps
// together.
#ifndef CAMEO_PASSES_CODEGEN_GPU_PERSISTENTKERNEL_H
#define CAMEO_PASSES_CODEGEN_GPU_PERSISTENTKERNEL_H

#include "passes/Codegen/Gpu/DeviceCode.h"
#include "passes/Codegen/Gpu/FindDependences.h"

namespace cameo {

/// A reason against a persistent kernel, for messages, and its location.
struct Obstacle {
  mlir::Location where;
  std::string what;
};

/// Returns why the steps of `plan` cannot be bodies of one kernel, or nothing if they can. `kernels` are the kernels
/// that the steps launch; they are functions of `module`.
std::optional<Obstacle> findObstacle(mlir::ModuleOp module, const ModelPlan &plan,
                                     llvm::ArrayRef<DeviceKernel> kernels);

/// Returns the memory areas that hold buffers of steps. A persistent kernel gets their addresses in this order.
std::vector<BufferPlace> persistentBases(const ModelPlan &plan);

/// Returns the number of counters of a persistent kernel: one for each step, and one for the blocks that are done. The
/// counters of its bodies follow them.
unsigned persistentCounters(const ModelPlan &plan);

/// Adds the kernel to `module`, which holds the bodies of `kernels` (--convert-blocks=are-bodies), and overlaps the
/// shared memory of the bodies. The kernel has two arguments by value: an array of base addresses, of which the last is
/// that of the counters; and, if the run has dynamic sizes, its numbers from the first one that kernels read. The
/// counters must be zero before a run, and are zero after it.
DeviceKernel addPersistentKernel(llvm::Module &module, const ModelPlan &plan,
                                 llvm::ArrayRef<llvm::SmallVector<unsigned>> dependences, const DeviceCode &code,
                                 bool forHost);

} // namespace cameo

#endif
