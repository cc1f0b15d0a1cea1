// The generated C header of a model.
#ifndef CAMEO_PASSES_CODEGEN_HEADER_EMITHEADER_H
#define CAMEO_PASSES_CODEGEN_HEADER_EMITHEADER_H

#include "passes/Codegen/CodegenOptions.h"
#include "passes/Codegen/Plan/ModelPlan.h"

#include "llvm/Support/raw_ostream.h"

namespace cameo {

/// Names of tensors as members of the structs of inputs or outputs.
std::vector<std::string> memberNames(const std::vector<PlannedTensor> &tensors);

/// A member of the struct of outputs beside the outputs.
struct FurtherMember {
  std::string name, type, meaning;
};

/// In the order in which `run` takes them behind the outputs: what gets the sizes that data decides, and the area for
/// texts.
std::vector<FurtherMember> furtherMembers(const ModelPlan &plan);

/// The statement that makes `symbols`, the sizes in the order of the description, of the struct that `dims` points to.
llvm::StringRef symbolsText();

/// PREFIX_workspace_size and the bytes of tensors, for a model whose runs choose sizes.
void emitSizeFunctions(llvm::raw_ostream &os, llvm::StringRef prefix, const ModelPlan &plan);

/// Writes the header: C11 and C++; typed inputs and outputs, sizes as constants or as functions of the dimensions that
/// a run chooses, `PREFIX_run`.
void emitHeader(const ModelPlan &plan, const CodegenOptions &options, llvm::raw_ostream &os);

} // namespace cameo

#endif
