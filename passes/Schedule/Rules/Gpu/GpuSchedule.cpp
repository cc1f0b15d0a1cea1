#include "passes/Schedule/Rules/Gpu/GpuSchedule.h"

#include "passes/Schedule/Rules/DefaultSchedule.h"

namespace cameo::schedule {

std::optional<Binding> GpuSchedule::bindingOf(unsigned loop) const {
  const BoundLoop *found = llvm::find_if(bound, [&](const BoundLoop &each) { return each.loop == loop; });
  return found == bound.end() ? std::nullopt : std::optional(found->to);
}

bool isTiled(const LoopNest &nest, const NestSchedule &schedule, const GpuSchedule &gpu) {
  return llvm::any_of(gpu.bound, [&](const BoundLoop &each) {
    return each.to == Binding::Thread && !nest.dims[schedule.loops[each.loop].dim].reduction;
  });
}

bool reducesTogether(const LoopNest &nest, const NestSchedule &schedule, const GpuSchedule &gpu) {
  return llvm::any_of(gpu.bound, [&](const BoundLoop &each) {
    return each.to == Binding::Thread && nest.dims[schedule.loops[each.loop].dim].reduction;
  });
}

bool reducesByWarp(const LoopNest &nest, const NestSchedule &schedule, const GpuSchedule &gpu) {
  return llvm::any_of(gpu.bound, [&](const BoundLoop &each) {
    return each.to == Binding::Warp && nest.dims[schedule.loops[each.loop].dim].reduction;
  });
}

std::optional<Loop> splitLoop(const LoopNest &nest, const NestSchedule &schedule, const GpuSchedule &gpu) {
  for (const BoundLoop &each : gpu.bound)
    if (const Loop &loop = schedule.loops[each.loop]; each.to == Binding::Block && nest.dims[loop.dim].reduction)
      return loop;
  return std::nullopt;
}

BlockTile tileOf(const LoopNest &nest, const NestSchedule &schedule, const GpuSchedule &gpu) {
  BlockTile tile;
  for (const Dimension &dim : nest.dims) {
    int64_t extent = dim.extent;
    tile.dims.push_back({extent, extent, extent, dim.reduction ? 1 : extent, extent});
  }
  for (auto [number, loop] : llvm::enumerate(schedule.loops)) {
    TiledDimension &dim = tile.dims[loop.dim];
    std::optional<Binding> binding = gpu.bindingOf(number);
    if (!binding || binding == Binding::Block)
      dim.block = dim.apart = loop.size;
    else if (binding == Binding::VirtualThread)
      dim.apart = loop.size;
    if (binding == Binding::Block && nest.dims[loop.dim].reduction)
      dim.share = loop.size;
    if (!nest.dims[loop.dim].reduction)
      dim.thread = loop.size;
  }
  for (auto [dim, dimension] : llvm::zip_equal(tile.dims, nest.dims))
    if (dimension.reduction) {
      tile.splits *= dim.splits();
    } else {
      tile.threads *= dim.threads();
      tile.blocks *= dim.blocks();
      tile.points *= dim.parts() * dim.thread;
    }
  return tile;
}

llvm::SmallVector<NodeId> cachedLoads(const LoopNest &nest, const GpuSchedule &gpu) {
  llvm::SmallVector<NodeId> loads = nest.loads(/*insideReduction=*/true);
  llvm::erase_if(loads, [&](NodeId id) {
    return nest.nodes[id].kind != Node::Kind::Load || !llvm::is_contained(gpu.cachedBuffers, nest.nodes[id].buffer);
  });
  return loads;
}

/// Elements between the ends of one row and the begin of the next, so that what is written across rows meets in no
/// bank.
static constexpr int64_t rowPadding = 4;

SharedLayout sharedLayout(const Node &node, const LoopNest &nest, const BlockTile &tile) {
  SharedLayout layout;
  layout.strides.assign(nest.dims.size(), 0);
  for (bool reductions : {false, true}) {
    for (unsigned dim = nest.dims.size(); dim-- > 0;)
      if (nest.dims[dim].reduction == reductions && node.address.dependsOn(dim)) {
        layout.strides[dim] = layout.elements;
        layout.elements *= tile.dims[dim].block;
      }
    if (!reductions && layout.elements > 1)
      layout.elements = (layout.elements + 3) / 4 * 4 + rowPadding;
  }
  return layout;
}

bool canCopyAsync(const LoopNest &nest, const GpuSchedule &gpu) {
  return llvm::all_of(cachedLoads(nest, gpu), [&](NodeId id) {
    int64_t bytes = bytesOf(nest.nodes[id].type);
    return bytes == 4 || bytes == 8;
  });
}

int64_t sharedBytes(const LoopNest &nest, const GpuSchedule &gpu, const BlockTile &tile) {
  int64_t bytes = 0;
  for (NodeId id : cachedLoads(nest, gpu))
    bytes += sharedLayout(nest.nodes[id], nest, tile).elements * bytesOf(nest.nodes[id].type) * gpu.stages;
  return bytes;
}

} // namespace cameo::schedule
