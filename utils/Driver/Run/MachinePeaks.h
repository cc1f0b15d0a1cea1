// What a machine reaches at best, the roof that tasks are measured against (Williams, Waterman, Patterson, "Roofline",
// 2009).
#ifndef CAMEO_UTILS_DRIVER_RUN_MACHINEPEAKS_H
#define CAMEO_UTILS_DRIVER_RUN_MACHINEPEAKS_H

#include <cstdint>

namespace cameo {

struct MachinePeaks {
  double gflops = 0;  ///< f32 multiply-adds on registers, two operations each, 10^9 per second
  double readGbs = 0; ///< reading memory that no cache of a core holds, 10^9 bytes per second

  /// The time in seconds that computing and reading so much take at least, when both go on at once.
  double leastSeconds(double flops, double bytes) const;
};

/// Runs two small kernels on `threads` threads at once for about half a second, with the widest vectors of this
/// processor, and returns the sums of the best rounds. Takes 256 MiB of memory meanwhile.
MachinePeaks measurePeaks(int threads);

/// Sizes of blocks of memory that are read over and over: they lie in the second-level cache, beyond it, and in no
/// cache.
struct ReadBlocks {
  int64_t nearBytes, farBytes, memoryBytes;
};

/// What one core does in a cycle of its clock.
struct CoreRates {
  double multiplyAdds = 0;                             ///< of whole vectors
  double nearBytes = 0, farBytes = 0, memoryBytes = 0; ///< that it reads of each block
};

/// Measures on this thread for about a second, with vectors of at most `mostLanes` floats and blocks of these sizes,
/// which it takes meanwhile.
CoreRates measureCore(int64_t mostLanes, const ReadBlocks &blocks);

/// Runs the kernel of multiply-adds once on this thread, less than a millisecond, with vectors of at most `mostLanes`
/// floats, and returns its floating-point operations. For those who time other code in turns with it: a processor's
/// clock follows what it has just computed.
double multiplyAddOnce(int64_t mostLanes);

} // namespace cameo

#endif
