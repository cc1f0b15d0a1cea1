// Loads of elements that lie side by side along another dimension than the vector's.
#ifndef CAMEO_PASSES_SCHEDULE_NESTS_TRANSPOSEDLOADS_H
#define CAMEO_PASSES_SCHEDULE_NESTS_TRANSPOSEDLOADS_H

#include "passes/Schedule/Nests/LoopNest.h"

namespace cameo::schedule {

/// Longer vectors (of bytes) than this are cut: a square has as many vectors as lanes, and they must all be in registers.
constexpr int64_t maxTransposedLanes = 16;

/// The parallel dimension, from `rowDims` on, along which what `node` loads lies side by side, where it is strided along `vectorDim`. None
/// for other nodes.
std::optional<unsigned> transposedDim(const LoopNest &nest, const Node &node, unsigned vectorDim, unsigned rowDims);

} // namespace cameo::schedule

#endif
