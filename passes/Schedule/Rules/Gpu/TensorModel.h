// Parameters of the cost model for products on the matrix unit of a multiprocessor. The matrix unit, the schedulers,
// the shared memory and the multiprocessor's share of the second-level cache work in parallel; the slowest of them
// determines the time of a step.
#ifndef CAMEO_PASSES_SCHEDULE_RULES_GPU_TENSORMODEL_H
#define CAMEO_PASSES_SCHEDULE_RULES_GPU_TENSORMODEL_H

#include "dialects/Target/GpuMachine.h"
#include "passes/Schedule/Rules/Gpu/GpuSchedule.h"

namespace cameo::schedule {

/// Per cycle of a multiprocessor: instructions that start, one per scheduler, bytes from shared memory, and bytes from
/// the second-level cache.
inline constexpr double tensorSchedulers = 4, sharedBytesPerCycle = 128, cacheBytesPerCycle = 32;
/// Instructions per cycle and scheduler of a single warp, the increase per additional warp, and the maximum: those of
/// ChooseBlockTile.
inline constexpr double aloneIssue = 0.49, addedIssue = 0.76, mostIssue = 0.9;
/// Assumed costs in instructions: a load of 16 points, an asynchronous copy of a thread, and all else in a step.
inline constexpr double loadIssue = 2, copyIssue = 6, stepIssue = 30;
/// Cycles: the latency of a fetch, a barrier with the wait for it, the start of a kernel until its first product, and
/// per point of a thread. All are assumed, except the start, which is that of ChooseBlockTile.
inline constexpr double arriveCycles = 900, barrierCycles = 40, beginCycles = 2300, storeCycles = 20;
/// Registers of a thread besides its sums and operands, the maximum of a thread, and the maximum number of threads on a
/// multiprocessor.
inline constexpr double plainRegisters = 56, mostRegisters = 255, heldThreads = 2048;
/// The size of a register of one thread.
inline constexpr int64_t registerBytes = 4;

/// Returns the products per cycle of a multiprocessor by mma.sync: of f16 those of the machine, half as many of tf32,
/// twice as many of bytes.
double productsPerCycle(const GpuMachine &gpu, const TensorShape &shape);

/// Returns the instructions that convert one loaded register for the matrix unit.
double issueOfConversion(TensorKind kind);

/// Returns the instructions per cycle of a scheduler that has `warps` warps.
double issueRate(double warps);

} // namespace cameo::schedule

#endif
