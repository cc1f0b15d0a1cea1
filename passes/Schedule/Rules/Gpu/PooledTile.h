// The results that a block keeps in shared memory, to pool them.
#ifndef CAMEO_PASSES_SCHEDULE_RULES_GPU_POOLEDTILE_H
#define CAMEO_PASSES_SCHEDULE_RULES_GPU_POOLEDTILE_H

#include "passes/Schedule/Rules/Gpu/GpuSchedule.h"

namespace cameo::schedule {

/// How the results of a block lie in shared memory where it computes their pool, in elements: the dimension along which
/// they lie side by side first, and pixels an odd number of vectors of 16 bytes apart, so that threads write to
/// different banks.
struct PooledLayout {
  unsigned inner;                     ///< that dimension
  llvm::SmallVector<int64_t> strides; ///< along each dimension of the nest
  int64_t elements;
};
PooledLayout pooledLayout(const LoopNest &nest, const BlockTile &tile);

/// Returns how many windows side by side along `layout.inner` a thread pools at once: those of 16 bytes that all exist.
int64_t pooledTogether(const LoopNest &nest, const BlockTile &tile, const PooledLayout &layout);

/// Returns why blocks cannot pool the points of `nest` with its tile; empty if they can.
std::string findPoolFault(const LoopNest &nest, const NestSchedule &schedule, const GpuSchedule &gpu);

} // namespace cameo::schedule

#endif
