// What a user says of the machine, and the file that a measurement of it leaves.
#ifndef CAMEO_UTILS_DRIVER_MACHINEFILE_H
#define CAMEO_UTILS_DRIVER_MACHINEFILE_H

#include "passes/Target/TargetInfo.h"

#include "llvm/Support/raw_ostream.h"

namespace cameo {

/// Changes `target` as the value of --machine says: KEY=VALUE,..., or the path of a file that writeMachine wrote, for
/// this processor. Errors name the option or the file.
llvm::Error describeMachine(llvm::StringRef text, TargetInfo &target);

/// The parameters of `target` that a user may state, as JSON: `format`, which is 1, `triple`, `cpu`, and `machine` with
/// the parameters by name.
void writeMachine(const TargetInfo &target, llvm::raw_ostream &os);

} // namespace cameo

#endif
