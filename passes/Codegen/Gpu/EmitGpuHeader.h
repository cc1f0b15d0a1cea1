// The part of the header of a model for a GPU that is another than for a processor.
#ifndef CAMEO_PASSES_CODEGEN_GPU_EMITGPUHEADER_H
#define CAMEO_PASSES_CODEGEN_GPU_EMITGPUHEADER_H

#include "passes/Codegen/Plan/ModelPlan.h"

#include "llvm/Support/raw_ostream.h"

namespace cameo {

/// A whole program, inside of a comment.
void emitGpuExample(llvm::raw_ostream &os, llvm::StringRef prefix, const ModelPlan &plan);

/// PREFIX_gpu, PREFIX_run and PREFIX_enqueue.
void emitGpuFunctions(llvm::raw_ostream &os, llvm::StringRef prefix, const ModelPlan &plan);

} // namespace cameo

#endif
