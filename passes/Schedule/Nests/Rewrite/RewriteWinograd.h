// Replaces the nest of a convolution by the nests of Winograd's minimal filtering.
#ifndef CAMEO_PASSES_SCHEDULE_NESTS_REWRITE_REWRITEWINOGRAD_H
#define CAMEO_PASSES_SCHEDULE_NESTS_REWRITE_REWRITEWINOGRAD_H

#include "passes/Schedule/Nests/Rewrite/ConvolutionNest.h"
#include "passes/Schedule/Nests/Rewrite/TileSpaces.h"

#include "llvm/Support/Error.h"

#include <string>

namespace cameo::schedule {

/// The number of tiles along a side of dynamic extent, in a block that is as large as the plane.
constexpr int64_t unboundedTiles = int64_t(1) << 20;

/// F(outputs x outputs, 3x3) for nest number `nest`. Blocks of at most `rows` x `columns` tiles (of one phase) go
/// through all stages before the next block and pass their data on the stack. If a block is as large as the plane, each
/// stage runs for all tiles before the next stage and passes its data in the arena. What whole tiles leave of sides of
/// dynamic extent stays the convolution itself. The filter is transformed at
/// compile time by default. If `channels` and `depth` are not 0, which requires the block to be the whole plane, it is
/// transformed at run time, in parts of `channels` outputs and `depth` inputs, each right before its use.
struct WinogradStep {
  unsigned nest;
  int64_t outputs, rows, columns, channels = 0, depth = 0;
  bool operator==(const WinogradStep &other) const = default;
};

/// Returns the blocks of `step` as text, such as "1x14 tiles".
std::string tilesText(const WinogradStep &step);

/// Returns the tiles into which F(outputs x outputs, 3x3) divides the result of the convolution `nest`.
TiledPlane tilesOf(const LoopNest &nest, const ConvolutionNest &roles, int64_t outputs);

/// Replaces the nest that `step` names by nests that transform the input, multiply, and transform the products back,
/// followed by the operations after the sum. The error says why the step does not apply.
llvm::Error rewriteWinograd(TaskProgram &program, const WinogradStep &step);

} // namespace cameo::schedule

#endif
