// A kernel that does all of a run: its blocks stay on the device, and go through the steps of the run together.
#ifndef CAMEO_PASSES_CODEGEN_GPU_PERSISTENTKERNEL_H
#define CAMEO_PASSES_CODEGEN_GPU_PERSISTENTKERNEL_H

#include "passes/Codegen/Gpu/DeviceCode.h"
#include "passes/Codegen/Gpu/FindDependences.h"

namespace cameo {

/// Where something is in the way, and what, in words for people.
struct Obstacle {
  mlir::Location where;
  std::string what;
};

/// What keeps the steps of `plan` from being parts of one kernel; none where nothing does. `kernels` are those that
/// they launch, and functions of `module`.
std::optional<Obstacle> findObstacle(mlir::ModuleOp module, const ModelPlan &plan,
                                     llvm::ArrayRef<DeviceKernel> kernels);

/// Memory of a run that steps have buffers in: what a persistent kernel gets the address of, in this order.
std::vector<BufferPlace> persistentBases(const ModelPlan &plan);

/// How many counters a persistent kernel has: one for each step, and one for the blocks that have ended. Those of its
/// bodies come behind them.
unsigned persistentCounters(const ModelPlan &plan);

/// Adds the kernel to `module`, whose functions are the bodies of `kernels` (--convert-blocks=are-bodies), and lets
/// their shared memory begin at one place. Its arguments are both by value: the addresses of the bases and, last of
/// these, of the counters, which are zeros before and behind each run; and the numbers of the run from the first that
/// kernels read on, where there are some.
DeviceKernel addPersistentKernel(llvm::Module &module, const ModelPlan &plan,
                                 llvm::ArrayRef<llvm::SmallVector<unsigned>> dependences, const DeviceCode &code,
                                 bool forHost);

} // namespace cameo

#endif
