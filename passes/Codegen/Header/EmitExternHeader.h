// The part of the generated header about functions that the program brings along.
#ifndef CAMEO_PASSES_CODEGEN_HEADER_EMITEXTERNHEADER_H
#define CAMEO_PASSES_CODEGEN_HEADER_EMITEXTERNHEADER_H

#include "passes/Codegen/Plan/ModelPlan.h"

#include "llvm/Support/raw_ostream.h"

namespace cameo {

/// Writes the prototypes of the plan's functions, a struct with the parameters of each before it, and what holds for
/// all; nothing where there are none.
void emitExternHeader(const ModelPlan &plan, llvm::StringRef prefix, llvm::raw_ostream &os);

} // namespace cameo

#endif
