// What rules take a multiprocessor of a GPU to be whose threads multiply.
#ifndef CAMEO_PASSES_SCHEDULE_RULES_GPU_THREADMODEL_H
#define CAMEO_PASSES_SCHEDULE_RULES_GPU_THREADMODEL_H

#include <cstdint>

namespace cameo::schedule {

/// A multiprocessor begins instructions of four warps in a cycle. These numbers are fitted to 3,366 times of tiles of
/// 246 products of eleven networks on an H200 (utils/gpu/session/results.md): of the tiles that were timed the
/// estimate's first is 2.8 % slower than the fastest in the geometric mean; with three networks left out of the fit, 4
/// % there.
inline constexpr double schedulers = 4;
/// Instructions of a warp per cycle of its scheduler where it is alone, what a second one adds, and the most.
inline constexpr double aloneRate = 0.874, addedRate = 0.05, mostRate = 1;
/// As many instructions as reading a vector from shared memory takes, fetching one from memory into registers, storing
/// one, or an element where the part is turned around, a copy past registers, and what else there is in a step.
inline constexpr double sharedLoad = 4.4, vectorFetch = 16.5, sharedStore = 7, asyncCopy = 38, stepInstructions = 6;
/// A group of bytes: multiplying it, and reading the vectors that it is put together from.
inline constexpr double groupProduct = 1.76, groupLoads = 5.3;
/// Cycles until a fetch has arrived, those that threads wait where they fetch into registers, those from the begin of a
/// kernel to its first product, and for each point of a thread.
inline constexpr double fetchCycles = 825, waitCycles = 190, startCycles = 4480, pointCycles = 3.5;
/// Registers that a thread has beside those for its points, and for each of these.
inline constexpr double registersBeside = 48.6, registersOfPoint = 1.52;
/// Threads that a multiprocessor holds.
inline constexpr int64_t residentThreads = 2048;

} // namespace cameo::schedule

#endif
