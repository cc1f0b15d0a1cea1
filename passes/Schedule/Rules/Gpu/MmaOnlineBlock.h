// How the warps of a block compute attention by the matrix unit. Scores and weights stay in registers.
#ifndef CAMEO_PASSES_SCHEDULE_RULES_GPU_MMAONLINEBLOCK_H
#define CAMEO_PASSES_SCHEDULE_RULES_GPU_MMAONLINEBLOCK_H

#include "dialects/Target/GpuMachine.h"
#include "passes/Schedule/Nests/Attention.h"
#include "passes/Schedule/Rules/Gpu/GpuSchedule.h"

namespace cameo::schedule {

/// Each warp has 16 queries. The block has its queries, and one part of keys and values at a time, in shared memory, in
/// the layout of operands of the matrix unit (`SharedLayout`). Tiles of depths and features are rounded up to powers of
/// two; only those that exist are multiplied.
struct MmaOnlineBlock {
  BlockTile scores, values; ///< the tiles of both nests
  int64_t threads;          ///< per block
  int64_t blocks;
  int64_t parts;   ///< number of parts of the keys
  unsigned stages; ///< stages of keys and values: with two, the next part is copied ahead

  /// Returns the layouts of queries, keys and values in shared memory.
  SharedLayout queryLayout(const Attention &attention) const;
  SharedLayout keyLayout(const Attention &attention) const;
  SharedLayout valueLayout(const Attention &attention) const;
  int64_t rowBlocks(const Attention &attention) const { return blocks / attention.heads(); }
  int64_t sharedBytes(const Attention &attention) const;
  /// Returns the number of values that a thread keeps in registers between parts of the keys.
  int64_t sums(const Attention &attention) const;
};

/// Returns the instruction of the matrix unit of `gpu` for both products of `attention`, if there is one.
std::optional<TensorShape> findOnlineTensor(const Attention &attention, const GpuMachine &gpu);

MmaOnlineBlock mmaOnlineBlock(const Attention &attention, const OnlineTile &tile);

/// Returns why blocks of `gpu` cannot have `tile` for `attention` with the instruction `tensor`; empty if they can.
std::string findMmaOnlineFault(const Attention &attention, const OnlineTile &tile, const TensorShape &tensor,
                               const GpuMachine &gpu);

} // namespace cameo::schedule

#endif
