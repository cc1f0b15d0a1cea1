// Divides the dimensions of a contraction into tiles of thread blocks.
#ifndef CAMEO_PASSES_SCHEDULE_RULES_GPU_TILESIZES_H
#define CAMEO_PASSES_SCHEDULE_RULES_GPU_TILESIZES_H

#include "passes/Schedule/Nests/Contraction.h"

namespace cameo::schedule {

/// Returns the contraction of a nest that may have tiles: points beyond its edges can be computed, and operands are
/// reused often enough.
std::optional<Contraction> findTiledContraction(const LoopNest &nest);

/// Returns a power of two for each of `dims` whose product is `points`, with as few points beyond the edges as
/// possible, and as many points as possible along the last dimensions.
llvm::SmallVector<int64_t> divideTile(const LoopNest &nest, llvm::ArrayRef<unsigned> dims, int64_t points);

/// Likewise with the least `cost`; empty if no division has one.
llvm::SmallVector<int64_t> divideTile(const LoopNest &nest, llvm::ArrayRef<unsigned> dims, int64_t points,
                                      llvm::function_ref<std::optional<int64_t>(llvm::ArrayRef<int64_t>)> cost);

/// Returns the number of tiles of `sizes` along all of `dims`.
int64_t blocksAlong(const LoopNest &nest, llvm::ArrayRef<unsigned> dims, llvm::ArrayRef<int64_t> sizes);

/// Returns the positions of the depth dimensions in the order in which they are divided: contiguous ones of the left
/// operand first.
llvm::SmallVector<size_t> depthOrder(const LoopNest &nest, const Contraction &contraction);

/// Returns the longest of `dims`, a depth that is fetched in pieces of `sizes`, that `splits` blocks can divide into
/// equal numbers of whole pieces.
std::optional<unsigned> findSplit(const LoopNest &nest, llvm::ArrayRef<unsigned> dims, llvm::ArrayRef<int64_t> sizes,
                                  int64_t splits);

} // namespace cameo::schedule

#endif
