// Writes the generated C++ header of a model.
#ifndef CAMEO_PASSES_CODEGEN_HEADER_EMITCPPHEADER_H
#define CAMEO_PASSES_CODEGEN_HEADER_EMITCPPHEADER_H

#include "passes/Codegen/CodegenOptions.h"
#include "passes/Codegen/Plan/ModelPlan.h"

#include "llvm/Support/raw_ostream.h"

namespace cameo {

/// Writes a C++17 header on top of the C header of emitHeader, which it includes as `cHeader`. It defines the class
/// `PREFIX_model` with shapes and element types as constants, spans for inputs and outputs, and `run`. The code that
/// all models share is in cameo/model.hpp, and for models on GPUs in cameo/gpu_model.hpp.
void emitCppHeader(const ModelPlan &plan, const CodegenOptions &options, llvm::StringRef cHeader,
                   llvm::raw_ostream &os);

} // namespace cameo

#endif
