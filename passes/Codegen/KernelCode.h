// Finds the kernels in an object by the names of their functions.
#ifndef CAMEO_PASSES_CODEGEN_KERNELCODE_H
#define CAMEO_PASSES_CODEGEN_KERNELCODE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace cameo {

/// The parts of the name of a function.
struct KernelName {
  llvm::StringRef task; ///< name of the task: the part before ".k0", ".k1.parallel" and the like, without the ".v46" of
                        ///< a variant; empty if the function is no kernel
  llvm::StringRef cpu;  ///< suffix with the processor, if the object is for several processors
};
KernelName readKernelName(llvm::StringRef function);

/// Returns the total number of bytes of all kernels in an ELF object with symbols.
llvm::Expected<int64_t> measureKernels(llvm::StringRef object);

} // namespace cameo

#endif
