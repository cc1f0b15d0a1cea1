// Writes the parts of the C header that differ for a model on a GPU.
#ifndef CAMEO_PASSES_CODEGEN_GPU_EMITGPUHEADER_H
#define CAMEO_PASSES_CODEGEN_GPU_EMITGPUHEADER_H

#include "passes/Codegen/Plan/ModelPlan.h"

#include "llvm/Support/raw_ostream.h"

namespace cameo {

/// Writes a complete example program as text inside a comment.
void emitGpuExample(llvm::raw_ostream &os, llvm::StringRef prefix, const ModelPlan &plan);

/// Writes the declarations of PREFIX_gpu, PREFIX_run and PREFIX_enqueue.
void emitGpuFunctions(llvm::raw_ostream &os, llvm::StringRef prefix, const ModelPlan &plan);

} // namespace cameo

#endif
