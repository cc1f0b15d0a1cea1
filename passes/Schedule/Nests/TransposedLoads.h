// Loads of elements that lie side by side along another dimension than the vector's, or a little apart along this one.
#ifndef CAMEO_PASSES_SCHEDULE_NESTS_TRANSPOSEDLOADS_H
#define CAMEO_PASSES_SCHEDULE_NESTS_TRANSPOSEDLOADS_H

#include "passes/Schedule/Nests/LoopNest.h"

namespace cameo::schedule {

/// Longer vectors (of bytes) than this are cut: a square has as many vectors as lanes, and they must all be in
/// registers.
constexpr int64_t maxTransposedLanes = 16;

/// The parallel dimension, from `rowDims` on, along which what `node` loads lies side by side, where it is strided
/// along `vectorDim`. None for other nodes, and where `lanes` elements are shuffled out of the few vectors that hold
/// them sooner than a square is transposed.
std::optional<unsigned> transposedDim(const LoopNest &nest, const Node &node, unsigned vectorDim, int64_t lanes,
                                      unsigned rowDims);

/// Loads and shuffles that take a vector of elements, `stride` apart in either direction, out of the vectors that hold
/// them. None where these are no fewer than an instruction per lane.
std::optional<int64_t> instructionsOfSpread(const Size &stride, int64_t lanes);

/// Whether `node` is loaded so along `vectorDim`.
bool isSpread(const Node &node, unsigned vectorDim, int64_t lanes);

} // namespace cameo::schedule

#endif
