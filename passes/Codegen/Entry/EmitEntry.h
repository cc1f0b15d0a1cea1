// The functions of a model that the outside calls, as LLVM IR around the kernels.
#ifndef CAMEO_PASSES_CODEGEN_ENTRY_EMITENTRY_H
#define CAMEO_PASSES_CODEGEN_ENTRY_EMITENTRY_H

#include "passes/Codegen/CodegenOptions.h"
#include "passes/Codegen/Plan/ModelPlan.h"

#include "llvm/IR/Module.h"

namespace cameo {

/// The section that holds the weights of the model `prefix`; its contents are appended after code generation.
std::string weightsSectionName(llvm::StringRef prefix);

/// Adds the function `name` to `module`, which holds the kernels of `plan`: cameo_model_description::run of abi.h.
/// `weightsHash` is checked against an external weights file. Returns the function.
llvm::Function *emitRun(llvm::Module &module, const ModelPlan &plan, const CodegenOptions &options,
                        llvm::StringRef name, uint64_t weightsHash);

/// Adds the section of the weights, which is filled after code generation.
llvm::GlobalVariable *emitWeights(llvm::Module &module, const CodegenOptions &options,
                                  llvm::GlobalValue::LinkageTypes linkage);

/// The name of what there is once for each of several processors.
std::string variantName(llvm::StringRef name, const TargetInfo &target);

/// Adds PREFIX_run_buffers, which calls the variant of PREFIX.run for this machine, and PREFIX_cpu, which names it.
/// Returns the first.
llvm::Function *emitChoice(llvm::Module &module, const CodegenOptions &options);

/// Adds the addresses of `texts`, in their order; equal texts have one.
llvm::GlobalVariable *emitTextTable(llvm::Module &module, llvm::ArrayRef<std::string> texts, llvm::StringRef prefix);

/// Adds PREFIX_description: the table of abi.h for generic tools. `plan` is what the header says; a workspace has room
/// for each of `variants`.
void emitDescription(llvm::Module &module, const ModelPlan &plan, llvm::ArrayRef<ModelPlan> variants,
                     const CodegenOptions &options, llvm::Function *run, uint64_t weightsHash);

} // namespace cameo

#endif
