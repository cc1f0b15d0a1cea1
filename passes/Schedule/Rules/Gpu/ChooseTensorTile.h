// Chooses the tile of a product that a thread block of a GPU computes by tensor cores, and the tile of each of its
// warps.
#ifndef CAMEO_PASSES_SCHEDULE_RULES_GPU_CHOOSETENSORTILE_H
#define CAMEO_PASSES_SCHEDULE_RULES_GPU_CHOOSETENSORTILE_H

#include "passes/Schedule/Rules/Gpu/ChooseBlockTile.h"

namespace cameo::schedule {

/// Returns the fastest tile by the rule's cost model; `threadRows` and `threadColumns` are those of a warp. Returns
/// nothing for a nest that tensor cores cannot multiply (TensorProduct.h).
std::optional<BlockTileOption> chooseTensorTile(const TaskProgram &program, const LoopNest &nest, const GpuMachine &gpu,
                                                Beside beside = {});

/// Returns all tiles that a search may choose from.
std::vector<BlockTileOption> tensorTileOptions(const TaskProgram &program, const LoopNest &nest, const GpuMachine &gpu);

} // namespace cameo::schedule

#endif
