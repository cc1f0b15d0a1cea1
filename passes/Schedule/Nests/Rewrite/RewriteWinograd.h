// Turns the nest of a convolution into the nests of Winograd's minimal filtering.
#ifndef CAMEO_PASSES_SCHEDULE_NESTS_REWRITE_REWRITEWINOGRAD_H
#define CAMEO_PASSES_SCHEDULE_NESTS_REWRITE_REWRITEWINOGRAD_H

#include "passes/Schedule/Nests/Rewrite/ConvolutionNest.h"
#include "passes/Schedule/Nests/Rewrite/TileSpaces.h"

#include "llvm/Support/Error.h"

namespace cameo::schedule {

/// F(outputs x outputs, 3x3) for nest number `nest`. Blocks of at most `rows` x `columns` tiles (of one phase) go
/// through all stages before the next and pass their data on the stack; a block as large as the plane means one stage
/// after the other for everything, through the arena. The filter is transformed when the model is compiled; or, where
/// `channels` and `depth` are not 0 and the block is the whole plane, as it runs: that of `channels` outputs and
/// `depth` inputs at a time, just before it is used.
struct WinogradStep {
  unsigned nest;
  int64_t outputs, rows, columns, channels = 0, depth = 0;
  bool operator==(const WinogradStep &other) const = default;
};

/// The tiles that F(outputs x outputs, 3x3) divides the results of the convolution `nest` into.
TiledPlane tilesOf(const LoopNest &nest, const ConvolutionNest &roles, int64_t outputs);

/// Replaces the nest that `step` names by nests that transform the input, multiply, and transform back with what
/// followed the sum. An error says why it does not fit.
llvm::Error rewriteWinograd(TaskProgram &program, const WinogradStep &step);

} // namespace cameo::schedule

#endif
