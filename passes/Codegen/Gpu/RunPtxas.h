// NVIDIA's assembler, where a toolkit is installed.
#ifndef CAMEO_PASSES_CODEGEN_GPU_RUNPTXAS_H
#define CAMEO_PASSES_CODEGEN_GPU_RUNPTXAS_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <optional>
#include <string>
#include <vector>

namespace cameo {

/// The program: `stated` where that is not empty, or ptxas in PATH, in bin of CUDA_PATH, or in /usr/local/cuda/bin.
/// None where there is none; an error where the stated one is not there.
llvm::Expected<std::optional<std::string>> findPtxas(llvm::StringRef stated);

/// What the assembler says of one kernel.
struct KernelUse {
  std::string kernel;
  unsigned registers = 0, spilledBytes = 0, stackBytes = 0, sharedBytes = 0;
};

struct Assembled {
  llvm::SmallVector<char, 0> binary;
  std::string report;          ///< in its own words
  std::vector<KernelUse> uses; ///< in the order of the report
  std::vector<std::string> warnings;
};

/// What a report of `ptxas -v` says.
void readReport(llvm::StringRef report, Assembled &into);

/// The kernel of `ptx` that the assembler's error is about, by the number of the line that it names; empty where it
/// names none.
std::string kernelOfError(llvm::StringRef error, llvm::StringRef ptx);

/// Assembles `ptx` for `architecture`. An error has the assembler's own words.
llvm::Expected<Assembled> runPtxas(llvm::StringRef program, llvm::StringRef ptx, llvm::StringRef architecture);

} // namespace cameo

#endif
