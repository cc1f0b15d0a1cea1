// Greedy placement by size, see Pisarchyk and Lee, "Efficient Memory Management for Deep Neural Net Inference" (2020).
#include "passes/Memory/AssignOffsets.h"

#include <algorithm>
#include <numeric>

namespace cameo {

static int64_t alignUp(int64_t bytes, int64_t alignment) { return (bytes + alignment - 1) / alignment * alignment; }

int64_t assignOffsets(std::vector<ArenaBlock> &blocks, int64_t alignment) {
  std::vector<size_t> order(blocks.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return blocks[a].bytes != blocks[b].bytes ? blocks[a].bytes > blocks[b].bytes : a < b;
  });
  std::vector<const ArenaBlock *> placed; // by offset
  int64_t arena = 0;
  for (size_t index : order) {
    ArenaBlock &block = blocks[index];
    int64_t bytes = alignUp(block.bytes, alignment), offset = 0;
    for (const ArenaBlock *other : placed) {
      if (other->last < block.first || block.last < other->first)
        continue;
      if (other->offset - offset >= bytes)
        break;
      offset = std::max(offset, other->offset + alignUp(other->bytes, alignment));
    }
    block.offset = offset;
    arena = std::max(arena, offset + bytes);
    auto after = std::upper_bound(placed.begin(), placed.end(), offset,
                                  [](int64_t value, const ArenaBlock *other) { return value < other->offset; });
    placed.insert(after, &block);
  }
  return arena;
}

int64_t mostLiveBytes(const std::vector<ArenaBlock> &blocks, int64_t alignment) {
  int64_t most = 0;
  for (const ArenaBlock &at : blocks) {
    int64_t live = 0;
    for (const ArenaBlock &block : blocks)
      if (block.first <= at.first && at.first <= block.last)
        live += alignUp(block.bytes, alignment);
    most = std::max(most, live);
  }
  return most;
}

} // namespace cameo
