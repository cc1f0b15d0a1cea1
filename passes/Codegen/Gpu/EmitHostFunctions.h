// Emits the functions with which the host executes steps of a model for a GPU.
#ifndef CAMEO_PASSES_CODEGEN_GPU_EMITHOSTFUNCTIONS_H
#define CAMEO_PASSES_CODEGEN_GPU_EMITHOSTFUNCTIONS_H

#include "passes/Codegen/Gpu/EmitGpuNumbers.h"
#include "passes/Codegen/Plan/ModelPlan.h"

#include "llvm/IR/Module.h"

namespace cameo {

/// Adds a function beside `kernel`, which takes `bufferCount` buffers: cameo_gpu_host_function of gpu.h.
llvm::Function *emitHostKernel(llvm::Function *kernel, unsigned bufferCount);

/// Adds such a function for `step`, a call of a function of the program. It reads dynamic sizes from `numbers`.
llvm::Function *emitHostExtern(llvm::Module &module, const ModelPlan &plan, llvm::StringRef prefix,
                               const PlannedStep &step, const GpuNumbers &numbers);

} // namespace cameo

#endif
