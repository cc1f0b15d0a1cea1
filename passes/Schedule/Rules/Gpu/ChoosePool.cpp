#include "passes/Schedule/Rules/Gpu/ChoosePool.h"

#include "passes/Schedule/Rules/DefaultSchedule.h"
#include "passes/Schedule/Rules/Gpu/PackConstants.h"
#include "passes/Schedule/Rules/Gpu/TensorTileOptions.h"

namespace cameo::schedule {

/// Returns the cycles of a launch of the pool alone, which reads each window through the second-level cache.
static double separateCycles(const LoopNest &nest, const Pool &pool, const GpuMachine &gpu) {
  double accesses = 1, stored = 1;
  for (const PoolWindow &window : pool.windows)
    if (window.count > 0) {
      accesses *= static_cast<double>(window.count * window.size);
      stored *= static_cast<double>(window.count);
    }
  double bytes = (accesses + stored) * static_cast<double>(bytesOf(nest.nodes[nest.outputs.front().value].type));
  return launchedCycles + fetchedCycles + bytes / (cacheBytesPerCycle * static_cast<double>(gpu.processors));
}

std::vector<BlockTileOption> poolOptions(const TaskProgram &program, const LoopNest &nest, const Pool &pool,
                                         const GpuMachine &gpu) {
  std::vector<BlockTileOption> all;
  for (TensorTileOption &option : tensorTilesOf(program, nest, gpu, &pool)) {
    packConstants(program, nest, option.tile.schedule);
    all.push_back(std::move(option.tile));
  }
  return all;
}

std::optional<BlockTileOption> choosePool(const TaskProgram &program, const LoopNest &nest, const Pool &pool,
                                          const GpuMachine &gpu, Beside beside) {
  std::vector<BlockTileOption> all = poolOptions(program, nest, pool, gpu);
  auto best =
      llvm::min_element(all, [](const BlockTileOption &a, const BlockTileOption &b) { return a.cycles < b.cycles; });
  std::optional<BlockTileOption> alone = chooseBlockTile(program, nest, gpu, beside);
  if (best == all.end() || !alone || best->cycles >= alone->cycles + separateCycles(nest, pool, gpu))
    return std::nullopt;
  return std::move(*best);
}

} // namespace cameo::schedule
