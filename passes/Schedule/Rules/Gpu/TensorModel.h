// What rules take a multiprocessor of a GPU to be whose matrix unit multiplies: that, its schedulers, its shared memory
// and its part of the second-level cache work side by side, and the slowest of them sets the time of a step.
#ifndef CAMEO_PASSES_SCHEDULE_RULES_GPU_TENSORMODEL_H
#define CAMEO_PASSES_SCHEDULE_RULES_GPU_TENSORMODEL_H

#include "dialects/Target/GpuMachine.h"
#include "passes/Schedule/Rules/Gpu/GpuSchedule.h"

namespace cameo::schedule {

/// Of a multiprocessor: warps that begin an instruction in a cycle, bytes that shared memory gives in one, and bytes
/// that come from the second-level cache.
inline constexpr double tensorSchedulers = 4, sharedBytesPerCycle = 128, cacheBytesPerCycle = 32;
/// Instructions of a warp per cycle of its scheduler where it is alone, what a second one adds, and the most: those of
/// ChooseBlockTile.
inline constexpr double aloneIssue = 0.49, addedIssue = 0.76, mostIssue = 0.9;
/// Assumed: as many instructions as reading 16 points and steps, a copy of a thread, and what else there is in a step
/// take.
inline constexpr double loadIssue = 2, copyIssue = 6, stepIssue = 30;
/// Assumed but for the begin, which is that of ChooseBlockTile: cycles until a fetch has arrived, of a barrier and what
/// waits for it, from the begin of a kernel to its first product, and for each point of a thread.
inline constexpr double arriveCycles = 900, barrierCycles = 40, beginCycles = 2300, storeCycles = 20;
/// Registers of a thread beside its sums and the matrices that it multiplies, the most that it has, and threads that a
/// multiprocessor holds.
inline constexpr double plainRegisters = 56, mostRegisters = 255, heldThreads = 2048;
/// Of one register of a thread.
inline constexpr int64_t registerBytes = 4;

/// Products of f16, added up in f32, that the matrix units of a multiprocessor do by mma.sync in a cycle: the published
/// peak, of sm_90a 63 % of it (arXiv 2501.12084); of sm_100a, which has other instructions for more, assumed.
/// The same of tf32, of which it does half as many, and of bytes, of which it does twice as many.
double productsPerCycle(const GpuMachine &gpu, const TensorShape &shape);

/// Instructions that make what the matrix unit takes of a register that was read.
double issueOfConversion(TensorKind kind);

/// Instructions of a warp per cycle of its scheduler, which has `warps` of them.
double issueRate(double warps);

} // namespace cameo::schedule

#endif
