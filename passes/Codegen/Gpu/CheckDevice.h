// What GPUs cannot do, found before LLVM's instruction selection, which ends the process on an operation that it has no
// instruction for.
#ifndef CAMEO_PASSES_CODEGEN_GPU_CHECKDEVICE_H
#define CAMEO_PASSES_CODEGEN_GPU_CHECKDEVICE_H

#include "dialects/Target/GpuMachine.h"
#include "passes/Codegen/Plan/ModelPlan.h"

#include "llvm/IR/Module.h"

namespace cameo {

/// What of `plan` has no form on a GPU yet, in words for people; none where all has.
std::vector<std::string> findUnsupported(const ModelPlan &plan);

/// What the code of `module` needs and no GPU has, or `gpu` has not: functions of a library, intrinsics, types.
std::vector<std::string> findUnsupported(const llvm::Module &module, const GpuMachine &gpu);

} // namespace cameo

#endif
