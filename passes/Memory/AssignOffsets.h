// Assigns offsets in one arena to blocks with lifetimes.
#ifndef CAMEO_PASSES_MEMORY_ASSIGNOFFSETS_H
#define CAMEO_PASSES_MEMORY_ASSIGNOFFSETS_H

#include <cstdint>
#include <vector>

namespace cameo {

/// The alignment in bytes of all blocks of the arena and the weights: a cache line, and the widest vector.
constexpr int64_t arenaAlignment = 64;

/// Memory that is in use from step `first` to step `last`, both included.
struct ArenaBlock {
  int64_t bytes;
  int64_t first, last;
  int64_t offset = 0;
};

/// Sets the offset of every block, a multiple of `alignment`, so that blocks in use at the same step do not overlap.
/// Returns the size of the arena in bytes. Places the largest block first, each at the lowest offset that is free
/// during its lifetime; this is within a few per cent of the optimum on networks, in O(n^2).
int64_t assignOffsets(std::vector<ArenaBlock> &blocks, int64_t alignment);

/// Returns the most bytes in use at one step, a lower bound of the size of any arena.
int64_t mostLiveBytes(const std::vector<ArenaBlock> &blocks, int64_t alignment);

} // namespace cameo

#endif
