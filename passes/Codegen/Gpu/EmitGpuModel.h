// Emits PREFIX_gpu, the table of gpu.h by which the runtime executes a model.
#ifndef CAMEO_PASSES_CODEGEN_GPU_EMITGPUMODEL_H
#define CAMEO_PASSES_CODEGEN_GPU_EMITGPUMODEL_H

#include "passes/Codegen/Gpu/DeviceCode.h"

#include "llvm/IR/Module.h"

namespace cameo {

/// Adds a PREFIX_run_buffers that returns an error, because the model runs only on a device. Returns the function.
llvm::Function *emitRefusingRun(llvm::Module &module, llvm::StringRef prefix);

/// Adds PREFIX_gpu for `code` and the steps of `plan`, to the module with the kernels of the host. `weights` is the
/// section of the weights, or null if the weights are external.
void emitGpuModel(llvm::Module &module, const ModelPlan &plan, const DeviceCode &code, const CodegenOptions &options,
                  llvm::GlobalVariable *weights);

} // namespace cameo

#endif
