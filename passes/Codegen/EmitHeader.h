// The generated C header of a model.
#ifndef CAMEO_PASSES_CODEGEN_EMITHEADER_H
#define CAMEO_PASSES_CODEGEN_EMITHEADER_H

#include "passes/Codegen/CodegenOptions.h"
#include "passes/Codegen/ModelPlan.h"

#include "llvm/Support/raw_ostream.h"

namespace cameo {

/// Writes the header: C11 and C++; typed inputs and outputs, sizes as constants, `PREFIX_run`.
void emitHeader(const ModelPlan &plan, const CodegenOptions &options, llvm::raw_ostream &os);

/// ONNX names as distinct C identifiers that are no keywords, in order.
std::vector<std::string> toIdentifiers(const std::vector<PlannedTensor> &tensors);

} // namespace cameo

#endif
