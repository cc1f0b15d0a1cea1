// Writes the generated C header of a model.
#ifndef CAMEO_PASSES_CODEGEN_HEADER_EMITHEADER_H
#define CAMEO_PASSES_CODEGEN_HEADER_EMITHEADER_H

#include "passes/Codegen/CodegenOptions.h"
#include "passes/Codegen/Plan/ModelPlan.h"

#include "llvm/Support/raw_ostream.h"

namespace cameo {

/// Returns the names of the members for `tensors` in the struct of inputs or outputs.
std::vector<std::string> memberNames(const std::vector<PlannedTensor> &tensors);

/// A member of the struct of outputs that is no output.
struct FurtherMember {
  std::string name, type, meaning; ///< `meaning` is the text of its comment
};

/// Returns the arrays for data-dependent dimensions and the text area, in the order in which `run` takes them after the
/// outputs.
std::vector<FurtherMember> furtherMembers(const ModelPlan &plan);

/// Whether the elements of `tensor` are strings.
bool isString(const PlannedTensor &tensor);

/// Writes the begin of the body of a function that runs the model: it checks its arguments `inputs`, `outputs` and
/// `dims` and declares the arrays `in`, `out` and `symbols` of their members in the order of the description.
void emitPointerArrays(llvm::raw_ostream &os, const ModelPlan &plan);

/// Writes the lines of an example program that declare the sizes, inputs and outputs of a run and allocate their
/// memory.
void emitExampleTensors(llvm::raw_ostream &os, llvm::StringRef prefix, const ModelPlan &plan);

/// Returns the C statement that declares `symbols`, the sizes in the order of the description, for the struct to which
/// `dims` points.
llvm::StringRef symbolsText();

/// Writes PREFIX_workspace_size and the functions that return the bytes of tensors, for a model with dynamic sizes.
void emitSizeFunctions(llvm::raw_ostream &os, llvm::StringRef prefix, const ModelPlan &plan);

/// Writes the header, for C11 and C++: structs of typed inputs and outputs, sizes as constants or as functions of the
/// dimensions of the run, and `PREFIX_run`.
void emitHeader(const ModelPlan &plan, const CodegenOptions &options, llvm::raw_ostream &os);

} // namespace cameo

#endif
