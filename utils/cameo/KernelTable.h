// Prints what the kernels of a model do on a GPU, as text and as JSON.
#ifndef CAMEO_UTILS_CAMEO_KERNELTABLE_H
#define CAMEO_UTILS_CAMEO_KERNELTABLE_H

#include "utils/Driver/Inspect/ListKernels.h"

#include "llvm/Support/raw_ostream.h"

namespace cameo {

/// Prints a line for each kernel.
void printKernels(llvm::raw_ostream &os, const KernelList &list);

/// Prints the object that docs/json.md describes.
void printKernelsAsJson(llvm::raw_ostream &os, const KernelList &list);

} // namespace cameo

#endif
