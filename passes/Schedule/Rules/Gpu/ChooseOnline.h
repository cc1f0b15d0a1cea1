// Decides which attentions are computed without scores in memory, and chooses the tiles of their blocks.
#ifndef CAMEO_PASSES_SCHEDULE_RULES_GPU_CHOOSEONLINE_H
#define CAMEO_PASSES_SCHEDULE_RULES_GPU_CHOOSEONLINE_H

#include "passes/Schedule/Rules/Gpu/OnlineBlock.h"

namespace cameo::schedule {

struct OnlineOption {
  OnlineTile tile;
  std::optional<TensorShape> tensor; ///< the instruction of the matrix unit; none: threads multiply
  double cycles;                     ///< of the whole kernel, as the rule's model estimates them
};

/// Returns all tiles that fit `gpu`, the fastest by the model first.
std::vector<OnlineOption> onlineOptions(const Attention &attention, const GpuMachine &gpu);

/// Returns the first of these if it is faster than `cycles`, the estimate for separate kernels of the nests.
std::optional<OnlineOption> chooseOnline(const Attention &attention, const GpuMachine &gpu, double cycles);

} // namespace cameo::schedule

#endif
