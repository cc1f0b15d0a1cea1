// Emits the function that computes the size-dependent numbers of a run on a GPU.
#ifndef CAMEO_PASSES_CODEGEN_GPU_EMITGPUNUMBERS_H
#define CAMEO_PASSES_CODEGEN_GPU_EMITGPUNUMBERS_H

#include "passes/Codegen/Plan/ModelPlan.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Module.h"

namespace cameo {

/// The numbers of a run, in this order: the offsets of the slots, the sizes that kernels read, the data-dependent
/// dimensions of outputs, the counts of steps and the sizes that functions of the program get.
struct GpuNumbers {
  llvm::Function *function = nullptr; ///< cameo_gpu_model::numbers of gpu.h; null if there are no numbers
  uint32_t count = 0, firstSize = 0, firstDimension = 0;
  llvm::DenseMap<DimExprAttr, uint32_t> counts; ///< the numbers that hold dynamic counts and sizes of steps, by
                                                ///< expression

  /// Returns a count of a step as gpu.h encodes it, with numbers from `first` on.
  uint64_t encode(const Dim &count, uint32_t first = 0) const;

  /// Returns the number that holds the offset of `slot`.
  uint32_t ofSlot(unsigned slot) const { return slot; }
};

/// Returns the layout of the numbers for `plan`, without the function.
GpuNumbers placeGpuNumbers(const ModelPlan &plan);

/// Returns the count of a step: the blocks of a kernel, the bytes of a copy, the upper bound of a size that the step
/// binds, or the iterations of a loop.
Dim countOf(const PlannedStep &step);

/// Adds PREFIX.numbers to `module` if `plan` has dynamic sizes. With `refusesManyBlocks`, the function fails for sizes
/// that give a kernel more blocks than a grid may have. The runtime checks this itself where it reads the count of each
/// kernel.
GpuNumbers emitGpuNumbers(llvm::Module &module, const ModelPlan &plan, llvm::StringRef prefix, bool refusesManyBlocks);

} // namespace cameo

#endif
