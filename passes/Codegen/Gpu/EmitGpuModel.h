// PREFIX_gpu: the table of gpu.h that a program runs a model by.
#ifndef CAMEO_PASSES_CODEGEN_GPU_EMITGPUMODEL_H
#define CAMEO_PASSES_CODEGEN_GPU_EMITGPUMODEL_H

#include "passes/Codegen/Gpu/DeviceCode.h"

#include "llvm/IR/Module.h"

namespace cameo {

/// Adds PREFIX_run_buffers, which refuses: what runs is on a device. Returns it.
llvm::Function *emitRefusingRun(llvm::Module &module, llvm::StringRef prefix);

/// Adds PREFIX_gpu for `code` and the steps of `plan`. `weights` is the section of the weights, null where it is not in
/// the object.
void emitGpuModel(llvm::Module &module, const ModelPlan &plan, const DeviceCode &code, const CodegenOptions &options,
                  llvm::GlobalVariable *weights);

} // namespace cameo

#endif
