// The generated C header of a model.
#ifndef CAMEO_PASSES_CODEGEN_EMITHEADER_H
#define CAMEO_PASSES_CODEGEN_EMITHEADER_H

#include "passes/Codegen/CodegenOptions.h"
#include "passes/Codegen/ModelPlan.h"

#include "llvm/Support/raw_ostream.h"

namespace cameo {

/// Writes the header: C11 and C++; typed inputs and outputs, sizes as constants or as functions of the dimensions that a
/// run chooses, `PREFIX_run`.
void emitHeader(const ModelPlan &plan, const CodegenOptions &options, llvm::raw_ostream &os);

} // namespace cameo

#endif
