// Several devices that one object is for.
#ifndef CAMEO_PASSES_TARGET_GPULIST_H
#define CAMEO_PASSES_TARGET_GPULIST_H

#include "dialects/Target/GpuMachine.h"

#include <vector>

namespace cameo {

/// The devices of the names in `list`, with commas between, and with `math`, by compute capability: schedules are for
/// the first, so that all others have what it has; sm_90a, which has more than newer ones, is not the first. An error
/// names what is unknown, and what is there twice.
llvm::Expected<std::vector<const GpuMachine *>> findGpus(llvm::StringRef list, GpuMath math);

/// Whether launches on `gpu` may begin before the one before has ended (programmatic dependent launch).
bool hasDependentLaunch(const GpuMachine &gpu);

} // namespace cameo

#endif
