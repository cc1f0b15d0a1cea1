// Runs NVIDIA's assembler, ptxas, if a toolkit is installed.
#ifndef CAMEO_PASSES_CODEGEN_GPU_RUNPTXAS_H
#define CAMEO_PASSES_CODEGEN_GPU_RUNPTXAS_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <optional>
#include <string>
#include <vector>

namespace cameo {

/// Returns the path of ptxas: `stated` if that is not empty, else the first of PATH, bin of CUDA_PATH, and
/// /usr/local/cuda/bin that has it. Returns nothing if it is not found, and an error if `stated` does not exist.
llvm::Expected<std::optional<std::string>> findPtxas(llvm::StringRef stated);

/// The resources that one kernel uses, as ptxas reports them.
struct KernelUse {
  std::string kernel;
  unsigned registers = 0, spilledBytes = 0, stackBytes = 0, sharedBytes = 0;
};

struct Assembled {
  llvm::SmallVector<char, 0> binary;
  std::string report;          ///< the output of ptxas
  std::vector<KernelUse> uses; ///< in the order of the report
  std::vector<std::string> warnings;
};

/// Parses a report of `ptxas -v` into `into`.
void readReport(llvm::StringRef report, Assembled &into);

/// Returns the kernel of `ptx` that contains the line which the error of ptxas names, or "" if the error names no line.
std::string kernelOfError(llvm::StringRef error, llvm::StringRef ptx);

/// Assembles `ptx` for `architecture`. The error holds the message of ptxas.
llvm::Expected<Assembled> runPtxas(llvm::StringRef program, llvm::StringRef ptx, llvm::StringRef architecture);

} // namespace cameo

#endif
