#include "passes/Schedule/Emission/Gpu/GroupShape.h"

#include "dialects/Target/GpuMachine.h"
#include "passes/Schedule/Emission/Gpu/SharedReduction.h"
#include "passes/Schedule/Emission/Gpu/ThreadNest.h"
#include "passes/Schedule/Rules/Gpu/PointVectors.h"

#include "llvm/Support/MathExtras.h"

namespace cameo::schedule {

llvm::SmallVector<mlir::MemRefType> tileMemory(const LoopNest &nest, const GpuSchedule &threads,
                                               const BlockTile &tile) {
  llvm::SmallVector<mlir::MemRefType> types = llvm::map_to_vector(cachedLoads(nest, threads), [&](NodeId load) {
    const Node &node = nest.nodes[load];
    return sharedMemoryType(node.type, sharedLayout(node, nest, tile).elements * threads.stages);
  });
  for (const PointVector &vector : pointVectors(nest, threads, tile))
    types.push_back(sharedMemoryType(nest.nodes[vector.load].type, tile.dims[vector.dim].block));
  return types;
}

int64_t productsOf(const LoopNest &nest, const BlockTile &tile) {
  int64_t products = tile.points * tile.threads;
  for (auto [dim, size] : llvm::zip_equal(nest.dims, tile.dims))
    if (dim.reduction)
      products *= size.block * size.fetches();
  return products;
}

int64_t GroupShape::threads() const {
  if (isTiled())
    return tile().threads;
  if (isPointPerThread() || isPointPerWarp())
    return gridThreads;
  int64_t most = 1, limit = group.orderedDims > 0 ? orderedThreads : rowThreads;
  for (auto [number, nest] : llvm::enumerate(group.nests)) {
    Size used = ThreadNest::pointsOf(nest, group.rowDims, lanesOf(schedules.loops[number], schedules.threads[number]));
    if (reducesTogether(number)) {
      used = 1;
      for (const Dimension &dim : nest.dims)
        if (dim.reduction)
          used *= dim.extent;
      if (used.isKnown())
        used = int64_t(used) / ThreadNest::stepsAtOnce(nest, sharedDim(number), fewestTogether);
    }
    if (reducesByWarp(number))
      used *= GpuMachine::warpThreads;
    most = std::max<int64_t>(most, used.isKnown() ? int64_t(used) : rowThreads);
  }
  return std::min<int64_t>(llvm::alignTo(most, GpuMachine::warpThreads), limit);
}

unsigned GroupShape::sharedDim(size_t nest) const {
  const BoundLoop *found = llvm::find_if(schedules.threads[nest].bound, [](const BoundLoop &each) {
    return each.to == Binding::Thread || each.to == Binding::Warp;
  });
  return schedules.loops[nest].loops[found->loop].dim;
}

Size GroupShape::blocks() const {
  if (isTiled())
    return tile().blocks * tile().splits;
  if (!isGrid(group))
    return group.rowDims > 0 ? group.parallelRows() : Size(1);
  Size points = ThreadNest::pointsOf(group.nests.front(), 0, lanesOf(schedules.loops[0], schedules.threads[0]));
  if (std::optional<Loop> divided = split())
    return Size(int64_t(countPieces(points, gridThreads)) *
                (int64_t(group.nests[0].dims[divided->dim].extent) / divided->size));
  return isPointPerBlock()
             ? points
             : countPieces(points, isPointPerWarp() ? gridThreads / GpuMachine::warpThreads : gridThreads);
}

} // namespace cameo::schedule
