// Chooses the tiles of two products whose blocks compute both, where this is estimated to be faster than two launches.
#ifndef CAMEO_PASSES_SCHEDULE_RULES_GPU_CHOOSECHAIN_H
#define CAMEO_PASSES_SCHEDULE_RULES_GPU_CHOOSECHAIN_H

#include "passes/Schedule/Rules/Gpu/Chain.h"
#include "passes/Schedule/Rules/Gpu/DefaultGpuSchedule.h"

namespace cameo::schedule {

struct ChainOption {
  ThreadSchedule first, second;
  double cycles; ///< of the launch
};

/// Returns the schedules of both products of `chain`, which are nests of `program`; nothing if two launches are
/// estimated to be faster.
std::optional<ChainOption> chooseChain(const TaskProgram &program, const Chain &chain, const GpuMachine &gpu);

} // namespace cameo::schedule

#endif
