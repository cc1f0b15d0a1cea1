// The functions of a model that the outside calls, as LLVM IR around the kernels.
#ifndef CAMEO_PASSES_CODEGEN_EMITENTRY_H
#define CAMEO_PASSES_CODEGEN_EMITENTRY_H

#include "passes/Codegen/CodegenOptions.h"
#include "passes/Codegen/ModelPlan.h"

#include "llvm/IR/Module.h"

namespace cameo {

/// The section that holds the weights of the model `prefix`; its contents are appended after code generation.
std::string weightsSectionName(llvm::StringRef prefix);

/// Adds PREFIX_run_buffers to `module`, which holds the kernels of `plan`: cameo_model_description::run of abi.h.
/// `weightsHash` is checked against an external weights file. Returns the function.
llvm::Function *emitRun(llvm::Module &module, const ModelPlan &plan, const CodegenOptions &options,
                        uint64_t weightsHash);

/// Adds the addresses of `texts`, in their order; equal texts have one.
llvm::GlobalVariable *emitTextTable(llvm::Module &module, llvm::ArrayRef<std::string> texts, llvm::StringRef prefix);

/// Adds PREFIX_description: the table of abi.h for generic tools.
void emitDescription(llvm::Module &module, const ModelPlan &plan, const CodegenOptions &options, llvm::Function *run,
                     uint64_t weightsHash);

} // namespace cameo

#endif
