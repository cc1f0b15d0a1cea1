// The tile of a product that a block of a GPU computes, and that of each of its threads.
#ifndef CAMEO_PASSES_SCHEDULE_RULES_GPU_CHOOSEBLOCKTILE_H
#define CAMEO_PASSES_SCHEDULE_RULES_GPU_CHOOSEBLOCKTILE_H

#include "passes/Schedule/Rules/Gpu/DefaultGpuSchedule.h"

namespace cameo::schedule {

/// Tiles of a nest that is a contraction of known sizes, with both operands in shared memory; nothing for others, and where nothing is read twice.
std::optional<ThreadSchedule> chooseBlockTile(const LoopNest &nest, const GpuMachine &gpu);

} // namespace cameo::schedule

#endif
