// What a machine reaches at best, the roof that tasks are measured against (Williams, Waterman, Patterson, "Roofline", 2009).
#ifndef CAMEO_UTILS_DRIVER_MACHINEPEAKS_H
#define CAMEO_UTILS_DRIVER_MACHINEPEAKS_H

#include <cstdint>

namespace cameo {

struct MachinePeaks {
  double gflops = 0;      ///< f32 multiply-adds on registers, two operations each, 10^9 per second
  double readGbs = 0;     ///< reading memory that no cache of a core holds, 10^9 bytes per second

  /// The time in seconds that computing and reading so much take at least, when both go on at once.
  double leastSeconds(double flops, double bytes) const;
};

/// Runs two small kernels on `threads` threads at once for about half a second, with the widest vectors of this processor, and
/// returns the sums of the best rounds. Takes 256 MiB of memory meanwhile.
MachinePeaks measurePeaks(int threads);

/// What one core does in a cycle of its clock.
struct CoreRates {
  double multiplyAdds = 0; ///< of whole vectors
  double readBytes = 0;    ///< from where a block of memory lies that is read over and over
};

/// Measures on this thread for about half a second, with vectors of at most `mostLanes` floats and a block of `blockBytes`, which it takes meanwhile.
CoreRates measureCore(int64_t mostLanes, int64_t blockBytes);

/// Runs the kernel of multiply-adds once on this thread, less than a millisecond, with vectors of at most `mostLanes` floats, and returns
/// its floating-point operations. For those who time other code in turns with it: a processor's clock follows what it has just computed.
double multiplyAddOnce(int64_t mostLanes);

} // namespace cameo

#endif
