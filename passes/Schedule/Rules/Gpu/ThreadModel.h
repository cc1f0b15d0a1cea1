// Parameters of the cost model for products on the CUDA cores of a multiprocessor.
#ifndef CAMEO_PASSES_SCHEDULE_RULES_GPU_THREADMODEL_H
#define CAMEO_PASSES_SCHEDULE_RULES_GPU_THREADMODEL_H

#include <cstdint>

namespace cameo::schedule {

/// A multiprocessor issues instructions of four warps per cycle. The parameters are fitted to 3,366 timings of tiles of
/// 246 products of eleven networks on an H200 (utils/gpu/session/results.md): among the timed tiles, the first by the
/// estimate is 2.8 % slower than the fastest in the geometric mean; with three networks left out of the fit, 4 % on
/// those.
inline constexpr double schedulers = 4;
/// Instructions per cycle and scheduler of a single warp, the increase per additional warp, and the maximum.
inline constexpr double aloneRate = 0.874, addedRate = 0.05, mostRate = 1;
/// Costs in instructions: a vector load from shared memory, a vector fetch from memory into registers, a vector store
/// to shared memory (or of one element if the part is transposed), an asynchronous copy, and all else in a step.
inline constexpr double sharedLoad = 4.4, vectorFetch = 16.5, sharedStore = 7, asyncCopy = 38, stepInstructions = 6;
/// A group of bytes: its multiplication, and the loads of the vectors that it is assembled from.
inline constexpr double groupProduct = 1.76, groupLoads = 5.3;
/// Cycles: the latency of a fetch, the wait for a fetch into registers, the start of a kernel until its first product,
/// and per point of a thread.
inline constexpr double fetchCycles = 825, waitCycles = 190, startCycles = 4480, pointCycles = 3.5;
/// Registers of a thread: a constant part, and a part for each of its points.
inline constexpr double registersBeside = 48.6, registersOfPoint = 1.52;
/// The maximum number of threads on a multiprocessor.
inline constexpr int64_t residentThreads = 2048;

} // namespace cameo::schedule

#endif
