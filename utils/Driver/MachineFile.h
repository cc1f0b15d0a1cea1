// Reads and writes descriptions of a machine.
#ifndef CAMEO_UTILS_DRIVER_MACHINEFILE_H
#define CAMEO_UTILS_DRIVER_MACHINEFILE_H

#include "passes/Target/TargetInfo.h"

#include "llvm/Support/raw_ostream.h"

namespace cameo {

/// Changes `target` according to the value of --machine: KEY=VALUE,..., or the path of a file from writeMachine for
/// this processor. Errors name the option or the file.
llvm::Error describeMachine(llvm::StringRef text, TargetInfo &target);

/// Writes the parameters of `target` that a user may set, as JSON: `format`, which is 1, `triple`, `cpu`, and `machine`
/// with the parameters by name.
void writeMachine(const TargetInfo &target, llvm::raw_ostream &os);

} // namespace cameo

#endif
