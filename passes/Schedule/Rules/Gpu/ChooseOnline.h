// Which attention blocks of a GPU compute without scores in memory, and what each has of it at a time.
#ifndef CAMEO_PASSES_SCHEDULE_RULES_GPU_CHOOSEONLINE_H
#define CAMEO_PASSES_SCHEDULE_RULES_GPU_CHOOSEONLINE_H

#include "passes/Schedule/Rules/Gpu/OnlineBlock.h"

namespace cameo::schedule {

struct OnlineOption {
  OnlineTile tile;
  std::optional<TensorShape> tensor; ///< what multiplies; none: threads do
  double cycles;                     ///< as the model of the rule has it, from the begin of the kernel to its end
};

/// All tiles that fit `gpu`, the fastest by the model first.
std::vector<OnlineOption> onlineOptions(const Attention &attention, const GpuMachine &gpu);

/// The first of these where it takes less than `cycles`, which kernels for each of the nests take.
std::optional<OnlineOption> chooseOnline(const Attention &attention, const GpuMachine &gpu, double cycles);

} // namespace cameo::schedule

#endif
