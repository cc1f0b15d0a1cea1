// Loads behind the sums of a product that vary along one dimension of its points only, such as a bias or the factors of
// a normalisation. A block copies its part of each to shared memory once, since all of its warps read the same.
#ifndef CAMEO_PASSES_SCHEDULE_RULES_GPU_POINTVECTORS_H
#define CAMEO_PASSES_SCHEDULE_RULES_GPU_POINTVECTORS_H

#include "passes/Schedule/Rules/Gpu/GpuSchedule.h"

namespace cameo::schedule {

/// A load along `dim`, of which threads copy `width` contiguous elements at a time.
struct PointVector {
  NodeId load;
  unsigned dim;
  int64_t width;
};

/// Returns the vectors of a tiled nest that lie in shared memory, each behind the operands, with an element for each
/// point of a block along its dimension: where the matrix unit multiplies what asynchronous copies have fetched, and
/// the copies save enough.
llvm::SmallVector<PointVector> pointVectors(const LoopNest &nest, const GpuSchedule &gpu, const BlockTile &tile);

/// Returns the bytes that these vectors need, each at a multiple of `vectorAlignment`.
int64_t bytesOfVectors(const LoopNest &nest, const GpuSchedule &gpu, const BlockTile &tile);

/// The alignment of a vector in shared memory, in bytes.
constexpr int64_t vectorAlignment = 64;

} // namespace cameo::schedule

#endif
