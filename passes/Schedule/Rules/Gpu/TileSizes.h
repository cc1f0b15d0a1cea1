// How the dimensions of a contraction are divided into what blocks of a GPU have.
#ifndef CAMEO_PASSES_SCHEDULE_RULES_GPU_TILESIZES_H
#define CAMEO_PASSES_SCHEDULE_RULES_GPU_TILESIZES_H

#include "passes/Schedule/Nests/Contraction.h"

namespace cameo::schedule {

/// The contraction of a nest that may have tiles: points beyond its edges can be computed, and what is read is read
/// again often enough.
std::optional<Contraction> findTiledContraction(const LoopNest &nest);

/// Powers of two for each of `dims` whose product is `points`, so that blocks have as few points beyond the edges as
/// can be, and as many along the last dimensions.
llvm::SmallVector<int64_t> divideTile(const LoopNest &nest, llvm::ArrayRef<unsigned> dims, int64_t points);

/// Pieces of `sizes` along all of `dims`.
int64_t blocksAlong(const LoopNest &nest, llvm::ArrayRef<unsigned> dims, llvm::ArrayRef<int64_t> sizes);

/// The places among the depth of its dimensions, neighbours of the left operand first: so they are divided.
llvm::SmallVector<size_t> depthOrder(const LoopNest &nest, const Contraction &contraction);

/// The one of `dims`, of a depth that is fetched in pieces of `sizes`, that so many blocks divide: the longest one that
/// has equal shares of whole pieces.
std::optional<unsigned> findSplit(const LoopNest &nest, llvm::ArrayRef<unsigned> dims, llvm::ArrayRef<int64_t> sizes,
                                  int64_t splits);

} // namespace cameo::schedule

#endif
