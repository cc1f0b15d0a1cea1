// What a program asks the processor for before it calls code of a target.
#ifndef CAMEO_PASSES_TARGET_CPUFEATURES_H
#define CAMEO_PASSES_TARGET_CPUFEATURES_H

#include "passes/Target/TargetInfo.h"

namespace cameo {

/// Bits for everything that LLVM may use in code of `target` beyond the baseline of its architecture. An error names a
/// feature that no program can ask for.
llvm::Expected<CpuFeatures> requiredFeatures(const TargetInfo &target);

/// One feature, for tests: as LLVM names it, and where a machine says that it has it.
struct CpuFeature {
  llvm::StringLiteral name;
  unsigned word, bit;
};

/// Those that requiredFeatures knows of; a feature with several bits has several entries.
llvm::ArrayRef<CpuFeature> x86Features();
llvm::ArrayRef<CpuFeature> aarch64Features();

} // namespace cameo

#endif
