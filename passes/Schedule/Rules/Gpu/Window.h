// Windows in shared memory: what a block of a convolution reads for several steps along the taps of its filter, each
// element once. Neighbouring points read the same elements at different taps.
#ifndef CAMEO_PASSES_SCHEDULE_RULES_GPU_WINDOW_H
#define CAMEO_PASSES_SCHEDULE_RULES_GPU_WINDOW_H

#include "passes/Schedule/Rules/Gpu/GpuSchedule.h"

namespace cameo::schedule {

/// The most steps between fetches of a window, along the taps and at each position. Their products are unrolled.
inline constexpr int64_t mostWindowSteps = 512;

/// The positions of a window along one dimension of the points. Point i reads, at index k along a tap, position `apart`
/// * i plus a multiple of k. Positions that the same tap reads lie side by side in shared memory.
struct WindowAxis {
  unsigned dim;      ///< of the points
  int64_t unit;      ///< elements in the source from one position to the next
  int64_t apart;     ///< positions from one point to the next
  int64_t positions; ///< that a block reads
  int64_t stride;    ///< elements in shared memory from one place to the next

  int64_t placesApart() const { return (positions + apart - 1) / apart; }
  int64_t places() const { return apart * placesApart(); }
  /// Returns the place of `position`. That of point i is i, and a tap adds the place of its own positions.
  int64_t placeOf(int64_t position) const { return position % apart * placesApart() + position / apart; }
};

struct Window {
  llvm::SmallVector<WindowAxis> axes; ///< in order of the nest
  unsigned depth;                     ///< the reduction whose steps are contiguous; each position has those of a fetch
  llvm::SmallVector<unsigned> taps;   ///< reductions of which a block fetches all steps at once
  llvm::SmallVector<int64_t> ofTaps;  ///< places of the steps along all taps, in elements; the last tap varies fastest
  int64_t elements;                   ///< of shared memory
  int64_t vectorStride;               ///< elements from one vector of a position to the next
  int64_t atomStride;                 ///< for groups of warps: elements from eight points to the next eight

  /// Returns the number of positions along all axes.
  int64_t positions() const;
};

/// Returns the window of the operand `node` if the matrix unit reads it from a tile that has one: the block fetches all
/// steps of several reductions at once, the taps, points share elements along them, and 16 bytes are contiguous along
/// another reduction. Sizes along points are powers of two. A position has its vectors side by side; for groups of
/// warps the positions of each vector lie side by side, and of the 64 points of four warps each eight
/// are neighbours and as far from the next.
std::optional<Window> findWindow(const Node &node, const LoopNest &nest, const BlockTile &tile);

/// Returns the window of the one operand of `nest` that has one, if steps along its taps are equally far apart in the
/// other one, as in packed constants. That has them in the same order in shared memory, outermost.
std::optional<Window> findWindow(const LoopNest &nest, const BlockTile &tile);

} // namespace cameo::schedule

#endif
