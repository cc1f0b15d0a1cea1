// What of a run on a GPU depends on its sizes, as a function of the object.
#ifndef CAMEO_PASSES_CODEGEN_GPU_EMITGPUNUMBERS_H
#define CAMEO_PASSES_CODEGEN_GPU_EMITGPUNUMBERS_H

#include "passes/Codegen/Plan/ModelPlan.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Module.h"

namespace cameo {

/// The numbers of a run: where its slots begin, then the sizes that kernels read, then the dimensions of outputs that
/// data decides, then counts of steps.
struct GpuNumbers {
  llvm::Function *function = nullptr; ///< cameo_gpu_model::numbers of gpu.h; null where there are none
  uint32_t count = 0, firstSize = 0, firstDimension = 0;
  llvm::DenseMap<const PlannedStep *, uint32_t> steps; ///< the number that is the count of a step

  /// Of a slot.
  uint32_t ofSlot(unsigned slot) const { return slot; }
};

/// The same without the function, as far as the plan says.
GpuNumbers placeGpuNumbers(const ModelPlan &plan);

/// How many blocks or bytes a step of a run on a GPU has, how large a size may be that it binds, or how many rounds it
/// begins.
Dim countOf(const PlannedStep &step);

/// Adds PREFIX.numbers to `module` for the sizes of `plan`, if it has any. `refusesManyBlocks`: it refuses sizes of
/// which a kernel has more blocks than a launch may have, which the runtime does where it sees the count.
GpuNumbers emitGpuNumbers(llvm::Module &module, const ModelPlan &plan, llvm::StringRef prefix, bool refusesManyBlocks);

} // namespace cameo

#endif
