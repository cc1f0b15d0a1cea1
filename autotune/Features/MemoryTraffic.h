// Which bytes the loops of a schedule touch, and how many pass into a cache of a given size.
#ifndef CAMEO_AUTOTUNE_FEATURES_MEMORYTRAFFIC_H
#define CAMEO_AUTOTUNE_FEATURES_MEMORYTRAFFIC_H

#include "autotune/Features/NestFacts.h"
#include "passes/Schedule/Rules/NestSchedule.h"

namespace cameo::autotune {

/// Looks at a nest under a schedule from the outermost loop (depth 0: all of it) to inside of the innermost (depth
/// depths() - 1: what is unrolled). Rows of a group are loops of their own, outside of all.
class MemoryTraffic {
public:
  MemoryTraffic(const NestFacts &facts, const schedule::NestSchedule &schedule, unsigned rowDims);

  size_t depths() const { return tiles.size(); }
  /// Bytes that one run of what is at `depth` touches, all accesses together.
  double footprint(size_t depth) const { return footprints[depth]; }
  /// Bytes of the buffers for which `isCounted`, by number, that the nest touches.
  double footprintOf(llvm::function_ref<bool(unsigned)> isCounted) const;
  /// Bytes that come into a cache of `capacity` bytes in all, when it replaces what was used least recently.
  double traffic(double capacity) const;
  /// The depth inside of the innermost loop over parallel dimensions.
  size_t blockDepth() const { return parallelDepth; }
  /// Iterations of the loop around `depth`; depth > 0.
  double trips(size_t depth) const { return iterations[depth - 1].trips; }

private:
  struct Access : NestFacts::Access {
    bool isPacked;
    llvm::SmallVector<double, 10> bytes; ///< at each depth, of all of them
  };
  struct Iteration {
    unsigned dim;
    double trips;
  };
  using Tile = llvm::SmallVector<double, 8>;

  void addAccesses(const NestFacts &facts, const schedule::NestSchedule &schedule);
  void add(const NestFacts::Access &access, bool isPacked);
  static double bytesOf(const Access &access, const Tile &tile);

  std::vector<Access> accesses;
  std::vector<Iteration> iterations;
  std::vector<Tile> tiles; ///< points per dimension at each depth
  std::vector<double> footprints;
  size_t parallelDepth = 0;
};

} // namespace cameo::autotune

#endif
