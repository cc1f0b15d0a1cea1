// Chooses whether the blocks of a product compute the pool behind it.
#ifndef CAMEO_PASSES_SCHEDULE_RULES_GPU_CHOOSEPOOL_H
#define CAMEO_PASSES_SCHEDULE_RULES_GPU_CHOOSEPOOL_H

#include "passes/Schedule/Nests/Pool.h"
#include "passes/Schedule/Rules/Gpu/ChooseBlockTile.h"

namespace cameo::schedule {

/// Returns the tiles of `nest` whose blocks compute `pool`, too.
std::vector<BlockTileOption> poolOptions(const TaskProgram &program, const LoopNest &nest, const Pool &pool,
                                         const GpuMachine &gpu);

/// Returns the fastest of them, if it is estimated to be faster than a launch of the nest with its own tile and one of
/// the pool.
std::optional<BlockTileOption> choosePool(const TaskProgram &program, const LoopNest &nest, const Pool &pool,
                                          const GpuMachine &gpu, Beside beside);

} // namespace cameo::schedule

#endif
