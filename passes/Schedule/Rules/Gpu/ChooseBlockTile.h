// The tile of a product that a block of a GPU computes, and that of each of its threads.
#ifndef CAMEO_PASSES_SCHEDULE_RULES_GPU_CHOOSEBLOCKTILE_H
#define CAMEO_PASSES_SCHEDULE_RULES_GPU_CHOOSEBLOCKTILE_H

#include "passes/Schedule/Rules/Gpu/DefaultGpuSchedule.h"

namespace cameo::schedule {

/// Rows and columns of a block, and of a thread, and how many steps along the depth are fetched at once.
struct BlockShape {
  int64_t rows, columns, threadRows, threadColumns, depth;
};

/// A tile that a nest may have.
struct BlockTileOption {
  BlockShape shape;
  int64_t splits; ///< blocks that divide the depth
  ThreadSchedule schedule;
  double cycles; ///< as the model of the rule has it, to put options in order
};

/// The tile of a nest that is a contraction of known sizes, with both operands in shared memory; nothing for others,
/// and where nothing is read twice.
std::optional<BlockTileOption> chooseBlockTile(const TaskProgram &program, const LoopNest &nest, const GpuMachine &gpu);

/// Many such tiles, also of shapes that the rule does not consider: what a search takes from. They fit the device's
/// memory; none for a nest that has no tile.
std::vector<BlockTileOption> blockTileOptions(const TaskProgram &program, const LoopNest &nest, const GpuMachine &gpu);

} // namespace cameo::schedule

#endif
