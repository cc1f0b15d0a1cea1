// Finds what GPUs do not support. This runs before LLVM's instruction selection, which aborts the process on an
// operation that it cannot select.
#ifndef CAMEO_PASSES_CODEGEN_GPU_CHECKDEVICE_H
#define CAMEO_PASSES_CODEGEN_GPU_CHECKDEVICE_H

#include "dialects/Target/GpuMachine.h"
#include "passes/Codegen/Plan/ModelPlan.h"

#include "llvm/IR/Module.h"

namespace cameo {

/// Returns descriptions, for messages, of the features of `plan` that are not supported on GPUs yet.
std::vector<std::string> findUnsupported(const ModelPlan &plan);

/// Returns descriptions of the library functions, intrinsics and types in `module` that no GPU supports, or that `gpu`
/// does not support.
std::vector<std::string> findUnsupported(const llvm::Module &module, const GpuMachine &gpu);

} // namespace cameo

#endif
