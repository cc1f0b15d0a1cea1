// Vector loads and stores of strided elements: either another dimension is contiguous, or the stride is small.
#ifndef CAMEO_PASSES_SCHEDULE_NESTS_TRANSPOSEDLOADS_H
#define CAMEO_PASSES_SCHEDULE_NESTS_TRANSPOSEDLOADS_H

#include "passes/Schedule/Nests/LoopNest.h"

namespace cameo::schedule {

/// Longer vectors of bytes are split: a transposition needs as many vectors as lanes, and all of them must be in
/// registers.
constexpr int64_t maxTransposedLanes = 16;

/// Returns the parallel dimension, from `rowDims` on, along which the elements of `node` are contiguous, if they are
/// strided along `vectorDim`: vectors along that dimension are loaded and transposed. Returns nothing for other nodes,
/// and where shuffling `lanes` elements out of a few vectors is cheaper than a transposition.
std::optional<unsigned> transposedDim(const LoopNest &nest, const Node &node, unsigned vectorDim, int64_t lanes,
                                      unsigned rowDims);

/// Returns the dimension along which vectors are loaded to be transposed for some node of a nest whose vectors of
/// `lanes` elements run along `vectorDim`. Their lanes are then at most maxTransposedLanes.
std::optional<unsigned> squareDim(const LoopNest &nest, unsigned vectorDim, int64_t lanes, unsigned rowDims);

/// Returns the number of loads and shuffles that extract a vector of elements with the given stride (of either sign)
/// from the vectors that hold them. Returns nothing if it is not less than one instruction per lane.
std::optional<int64_t> instructionsOfSpread(const Size &stride, int64_t lanes);

/// Returns the number of instructions beside a load for a vector of `node` along `vectorDim`, if its elements are apart
/// and no squares are transposed: shuffles, or one to load and one to insert each of `lanes`.
double instructionsBesideLoad(const LoopNest &nest, const Node &node, unsigned vectorDim, int64_t lanes,
                              unsigned rowDims);

/// Whether `node` is loaded by shuffles along `vectorDim` (see instructionsOfSpread).
bool isSpread(const Node &node, unsigned vectorDim, int64_t lanes);

/// Returns the dimension whose neighbours are one element apart, if `node` is loaded by shuffles along `vectorDim`: as
/// many of them as the stride lie between the lanes, in the same vectors.
std::optional<unsigned> dimBetweenLanes(const LoopNest &nest, const Node &node, unsigned vectorDim, int64_t lanes);

/// Returns the dimension whose points fill the elements between the lanes of a strided output, if there are so few that
/// pairs of vectors can be interleaved until they are contiguous. A block must have all points along it.
std::optional<unsigned> interleavedDim(const LoopNest &nest, const Output &output, unsigned vectorDim);

} // namespace cameo::schedule

#endif
