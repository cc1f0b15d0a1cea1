// How the threads of a block compute attention when scores and weights stay in the block.
#ifndef CAMEO_PASSES_SCHEDULE_RULES_GPU_ONLINEBLOCK_H
#define CAMEO_PASSES_SCHEDULE_RULES_GPU_ONLINEBLOCK_H

#include "dialects/Target/GpuMachine.h"
#include "passes/Schedule/Nests/Attention.h"
#include "passes/Schedule/Rules/Gpu/GpuSchedule.h"

namespace cameo::schedule {

/// The number of neighbouring threads, half a warp, that share rows, and the number of rows of each thread.
constexpr int64_t onlineThreadsOfRow = 16, onlineRowsOfThread = 4;
/// The number of f32 elements per access to shared memory.
constexpr int64_t onlineVector = 4;

/// The shared memory of a block, f32 elements in rows: queries by depth, keys by depth, weights by key, values by
/// feature.
struct OnlineBlock {
  /// The features of the threads of a row: each thread has `width` neighbouring ones, starting at `begin`.
  struct Columns {
    int64_t begin, width;
  };
  struct Memory {
    int64_t rows, columns; ///< padded with zeros
    int64_t stride;        ///< distance between rows in elements

    int64_t elements() const { return rows * stride; }
  };

  int64_t threads; ///< of a block
  int64_t blocks;
  int64_t parts;        ///< parts of the keys
  int64_t keysOfThread; ///< keys per thread and part
  llvm::SmallVector<Columns, 4> columns;
  Memory queries, keys, weights, values;

  int64_t rowBlocks(const Attention &attention) const { return blocks / attention.heads(); }
  /// Returns the number of features of a thread.
  int64_t features() const;
  /// Returns the number of values that a thread keeps in registers between parts of the keys.
  int64_t sums() const { return onlineRowsOfThread * (features() + 2); }
  int64_t sharedBytes() const;
};

OnlineBlock onlineBlock(const Attention &attention, const OnlineTile &tile);

/// Returns why blocks of `gpu` cannot have `tile` for `attention`; empty if they can.
std::string findOnlineFault(const Attention &attention, const OnlineTile &tile, const GpuMachine &gpu);

/// Returns the number of elements along `inner` that one memory access of the load `node` can read: contiguous and
/// always aligned.
int64_t onlineFetchWidth(const LoopNest &nest, NodeId node, unsigned inner);

} // namespace cameo::schedule

#endif
