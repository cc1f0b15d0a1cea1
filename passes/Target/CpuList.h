// Several processors that one object is for.
#ifndef CAMEO_PASSES_TARGET_CPULIST_H
#define CAMEO_PASSES_TARGET_CPULIST_H

#include "passes/Target/TargetInfo.h"

namespace cameo {

inline bool isCpuList(llvm::StringRef cpu) { return cpu.contains(','); }

/// The targets of `triple` and of the names in `cpus`, with commas between; one as resolveTarget has it. A program is
/// to take the first whose features its machine has: one with more features stands before one with fewer, and of others
/// the one that is named last. An error names what is unknown, what is there twice, and what a program cannot tell
/// apart.
llvm::Expected<std::vector<TargetInfo>> resolveTargets(llvm::StringRef triple, llvm::StringRef cpus);

/// "x86-64-v3" + ", " + "x86-64-v2".
std::string cpuNames(llvm::ArrayRef<TargetInfo> targets, llvm::StringRef separator);

} // namespace cameo

#endif
