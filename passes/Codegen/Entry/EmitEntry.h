// Emits the public functions of a model, which call the kernels, as LLVM IR.
#ifndef CAMEO_PASSES_CODEGEN_ENTRY_EMITENTRY_H
#define CAMEO_PASSES_CODEGEN_ENTRY_EMITENTRY_H

#include "passes/Codegen/CodegenOptions.h"
#include "passes/Codegen/Plan/ModelPlan.h"

#include "llvm/IR/Module.h"

namespace cameo {

/// Returns the name of the section that holds the weights of the model `prefix`. Its contents are appended after code
/// generation.
std::string weightsSectionName(llvm::StringRef prefix);

/// Adds the function `name` to `module`, which holds the kernels of `plan`: cameo_model_description::run of abi.h.
/// `weightsHash` is checked against an external weights file. Returns the function.
llvm::Function *emitRun(llvm::Module &module, const ModelPlan &plan, const CodegenOptions &options,
                        llvm::StringRef name, uint64_t weightsHash);

/// Adds the section of the weights, which is filled after code generation.
llvm::GlobalVariable *emitWeights(llvm::Module &module, const CodegenOptions &options,
                                  llvm::GlobalValue::LinkageTypes linkage);

/// Returns the name of the variant of `name` for one of several processors.
std::string variantName(llvm::StringRef name, const TargetInfo &target);

/// Adds PREFIX_run_buffers, which calls the variant of PREFIX.run for the processor of the machine, and PREFIX_cpu,
/// which returns the name of that processor. Returns PREFIX_run_buffers.
llvm::Function *emitChoice(llvm::Module &module, const CodegenOptions &options);

/// Adds a table with the addresses of `strings`, in their order. Equal strings have the same address.
llvm::GlobalVariable *emitStringTable(llvm::Module &module, llvm::ArrayRef<std::string> strings,
                                      llvm::StringRef prefix);

/// Adds PREFIX_description, the table of abi.h for generic tools. `plan` is the plan that the header describes; the
/// workspace has room for each of `variants`.
void emitDescription(llvm::Module &module, const ModelPlan &plan, llvm::ArrayRef<ModelPlan> variants,
                     const CodegenOptions &options, llvm::Function *run, uint64_t weightsHash);

} // namespace cameo

#endif
