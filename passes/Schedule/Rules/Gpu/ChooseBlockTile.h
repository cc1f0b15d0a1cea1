// Chooses the tile of a product that a thread block of a GPU computes, and the tile of each of its threads.
#ifndef CAMEO_PASSES_SCHEDULE_RULES_GPU_CHOOSEBLOCKTILE_H
#define CAMEO_PASSES_SCHEDULE_RULES_GPU_CHOOSEBLOCKTILE_H

#include "passes/Schedule/Rules/Gpu/DefaultGpuSchedule.h"

namespace cameo::schedule {

/// Rows and columns of a block and of a thread, and the number of steps along the depth per fetch.
struct BlockShape {
  int64_t rows, columns, threadRows, threadColumns, depth;
  int64_t taps = 1; ///< for the matrix unit: how many of these steps a window has at each of its positions (Window.h)
};

/// A possible tile of a nest.
struct BlockTileOption {
  BlockShape shape;
  int64_t splits; ///< number of blocks that share the depth
  ThreadSchedule schedule;
  double cycles; ///< the estimate of the rule's cost model, for comparisons only
};

/// Returns the tile of a nest that is a contraction of known sizes, with both operands in shared memory. Returns
/// nothing for other nests, and if no element is read twice.
std::optional<BlockTileOption> chooseBlockTile(const TaskProgram &program, const LoopNest &nest, const GpuMachine &gpu,
                                               Beside beside = {});

/// Returns many tiles for a search, including shapes that the rule does not consider. All fit the device's memory.
/// Empty for a nest without tiles.
std::vector<BlockTileOption> blockTileOptions(const TaskProgram &program, const LoopNest &nest, const GpuMachine &gpu);

} // namespace cameo::schedule

#endif
