// How the threads of a block compute attention, of which scores and weights stay in the block.
#ifndef CAMEO_PASSES_SCHEDULE_RULES_GPU_ONLINEBLOCK_H
#define CAMEO_PASSES_SCHEDULE_RULES_GPU_ONLINEBLOCK_H

#include "dialects/Target/GpuMachine.h"
#include "passes/Schedule/Nests/Attention.h"
#include "passes/Schedule/Rules/Gpu/GpuSchedule.h"

namespace cameo::schedule {

/// So many neighbouring threads, half a warp, have the same rows, and each of them has so many rows.
constexpr int64_t onlineThreadsOfRow = 16, onlineRowsOfThread = 4;
/// Numbers of f32 that one access to shared memory takes.
constexpr int64_t onlineVector = 4;

/// What a block has in shared memory, numbers of f32 in rows: queries by depth, keys by depth, weights by key, values
/// by feature.
struct OnlineBlock {
  /// Features that the threads of a row have: `width` neighbours each, from `begin` on.
  struct Columns {
    int64_t begin, width;
  };
  struct Memory {
    int64_t rows, columns; ///< zeros are behind what there is of them
    int64_t stride;        ///< from one row to the next one

    int64_t elements() const { return rows * stride; }
  };

  int64_t threads; ///< of a block
  int64_t blocks;
  int64_t parts;        ///< of the keys
  int64_t keysOfThread; ///< scores of a thread in each of its rows
  llvm::SmallVector<Columns, 4> columns;
  Memory queries, keys, weights, values;

  int64_t rowBlocks(const Attention &attention) const { return blocks / attention.heads(); }
  /// Features of a thread.
  int64_t features() const;
  /// Numbers that a thread has in registers from one part of the keys to the next one.
  int64_t sums() const { return onlineRowsOfThread * (features() + 2); }
  int64_t sharedBytes() const;
};

OnlineBlock onlineBlock(const Attention &attention, const OnlineTile &tile);

/// What keeps blocks of `gpu` from having `tile` of `attention`; empty: nothing.
std::string findOnlineFault(const Attention &attention, const OnlineTile &tile, const GpuMachine &gpu);

/// Neighbours along `inner`, as many as one access to memory takes and always aligned, of what the load `node` reads.
int64_t onlineFetchWidth(const LoopNest &nest, NodeId node, unsigned inner);

} // namespace cameo::schedule

#endif
