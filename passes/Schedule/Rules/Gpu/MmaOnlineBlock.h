// How the warps of a block compute attention by the matrix unit, of which scores and weights stay in registers.
#ifndef CAMEO_PASSES_SCHEDULE_RULES_GPU_MMAONLINEBLOCK_H
#define CAMEO_PASSES_SCHEDULE_RULES_GPU_MMAONLINEBLOCK_H

#include "dialects/Target/GpuMachine.h"
#include "passes/Schedule/Nests/Attention.h"
#include "passes/Schedule/Rules/Gpu/GpuSchedule.h"

namespace cameo::schedule {

/// Each warp has 16 queries. The block has its queries, and keys and values part by part, in shared memory as an
/// operand of the matrix unit lies there (`SharedLayout`): depths and features up to powers of two, of which those that
/// exist are multiplied.
struct MmaOnlineBlock {
  BlockTile scores, values; ///< of the nests
  int64_t threads;          ///< of a block
  int64_t blocks;
  int64_t parts;   ///< of the keys
  unsigned stages; ///< of keys and values: with two the next part is under way

  /// Layouts of queries, keys and values.
  SharedLayout queryLayout(const Attention &attention) const;
  SharedLayout keyLayout(const Attention &attention) const;
  SharedLayout valueLayout(const Attention &attention) const;
  int64_t rowBlocks(const Attention &attention) const { return blocks / attention.heads(); }
  int64_t sharedBytes(const Attention &attention) const;
  /// Numbers that a thread has in registers from one part of the keys to the next one.
  int64_t sums(const Attention &attention) const;
};

/// What the matrix unit of `gpu` multiplies both products of `attention` by, where it does.
std::optional<TensorShape> findOnlineTensor(const Attention &attention, const GpuMachine &gpu);

MmaOnlineBlock mmaOnlineBlock(const Attention &attention, const OnlineTile &tile);

/// What keeps blocks of `gpu` from having `tile` of `attention` with products by `tensor`; empty: nothing.
std::string findMmaOnlineFault(const Attention &attention, const OnlineTile &tile, const TensorShape &tensor,
                               const GpuMachine &gpu);

} // namespace cameo::schedule

#endif
