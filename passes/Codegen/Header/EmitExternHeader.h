// Writes the part of the generated header about functions that the program defines.
#ifndef CAMEO_PASSES_CODEGEN_HEADER_EMITEXTERNHEADER_H
#define CAMEO_PASSES_CODEGEN_HEADER_EMITEXTERNHEADER_H

#include "passes/Codegen/Plan/ModelPlan.h"

#include "llvm/Support/raw_ostream.h"

namespace cameo {

/// Writes the prototypes of these functions in `plan`, a struct of parameters before each of them, and a comment on the
/// rules for all of them. Writes nothing if there are none.
void emitExternHeader(const ModelPlan &plan, llvm::StringRef prefix, bool isForGpu, llvm::raw_ostream &os);

} // namespace cameo

#endif
