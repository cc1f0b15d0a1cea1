// Chooses the tiles of products whose blocks compute all of them, where this is estimated to be faster than a launch
// more.
#ifndef CAMEO_PASSES_SCHEDULE_RULES_GPU_CHOOSECHAIN_H
#define CAMEO_PASSES_SCHEDULE_RULES_GPU_CHOOSECHAIN_H

#include "passes/Schedule/Rules/Gpu/Chain.h"
#include "passes/Schedule/Rules/Gpu/DefaultGpuSchedule.h"

namespace cameo::schedule {

struct ChainOption {
  std::vector<ThreadSchedule> products; ///< in their order
  double cycles;                        ///< of the launch
};

/// Returns the schedules of all products of `chains`, which are nests of `program`; nothing if a launch of its own for
/// the last one is estimated to be faster.
std::optional<ChainOption> chooseChain(const TaskProgram &program, llvm::ArrayRef<Chain> chains, const GpuMachine &gpu);

} // namespace cameo::schedule

#endif
