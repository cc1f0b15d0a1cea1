// The kernels in an object, by the names of their functions.
#ifndef CAMEO_PASSES_CODEGEN_KERNELCODE_H
#define CAMEO_PASSES_CODEGEN_KERNELCODE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace cameo {

/// What the name of a function says.
struct KernelName {
  llvm::StringRef task; ///< whose kernel it is: what is in front of ".k0", ".k1.parallel" and their kin, without the
                        ///< ".v46" of a variant. Empty for other functions
  llvm::StringRef cpu;  ///< behind all that, where the object is for several
};
KernelName readKernelName(llvm::StringRef function);

/// Bytes of all kernels of an ELF object with symbols.
llvm::Expected<int64_t> measureKernels(llvm::StringRef object);

} // namespace cameo

#endif
