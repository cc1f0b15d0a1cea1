// The tile of a product that a block of a GPU computes by its matrix unit, and that of each of its warps.
#ifndef CAMEO_PASSES_SCHEDULE_RULES_GPU_CHOOSETENSORTILE_H
#define CAMEO_PASSES_SCHEDULE_RULES_GPU_CHOOSETENSORTILE_H

#include "passes/Schedule/Rules/Gpu/ChooseBlockTile.h"

namespace cameo::schedule {

/// The tile that the model of the rule finds fastest, `threadRows` and `threadColumns` being those of a warp; nothing
/// for a nest that the matrix unit does not multiply (TensorProduct.h).
std::optional<BlockTileOption> chooseTensorTile(const TaskProgram &program, const LoopNest &nest,
                                                const GpuMachine &gpu);

/// All of them that a search may take from.
std::vector<BlockTileOption> tensorTileOptions(const TaskProgram &program, const LoopNest &nest, const GpuMachine &gpu);

} // namespace cameo::schedule

#endif
