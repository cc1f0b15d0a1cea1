// Measures the peak performance of a machine, the roof in the roofline model (Williams, Waterman, Patterson,
// "Roofline", 2009).
#ifndef CAMEO_UTILS_DRIVER_RUN_MACHINEPEAKS_H
#define CAMEO_UTILS_DRIVER_RUN_MACHINEPEAKS_H

#include <cstdint>

namespace cameo {

struct MachinePeaks {
  double gflops = 0;  ///< peak of f32 multiply-adds on registers, two operations each, 10^9 per second
  double readGbs = 0; ///< read bandwidth of memory that is in no cache of a core, 10^9 bytes per second

  /// Returns the least time in seconds for computing `flops` and reading `bytes`, if both overlap.
  double leastSeconds(double flops, double bytes) const;
};

/// Runs two small kernels on `threads` threads at once for about half a second, with the widest vectors of this
/// processor, and returns the sums of the best iterations. Uses 256 MiB of memory.
MachinePeaks measurePeaks(int threads);

/// Sizes of memory blocks that are read repeatedly: one that fits into the second-level cache, one that does not, and
/// one that fits into no cache.
struct ReadBlocks {
  int64_t nearBytes, farBytes, memoryBytes;
};

/// Throughput of one core per clock cycle.
struct CoreRates {
  double multiplyAdds = 0;                             ///< multiply-adds of full vectors
  double nearBytes = 0, farBytes = 0, memoryBytes = 0; ///< bytes read from each block
};

/// Measures on this thread for about a second, with vectors of at most `mostLanes` floats and blocks of these sizes,
/// which it allocates.
CoreRates measureCore(int64_t mostLanes, const ReadBlocks &blocks);

/// Runs the multiply-add kernel once on this thread, for less than a millisecond, with vectors of at most `mostLanes`
/// floats, and returns its number of floating-point operations. It is for alternating with other timed code, because
/// the clock of a processor depends on the preceding load.
double multiplyAddOnce(int64_t mostLanes);

} // namespace cameo

#endif
