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

int64_t mostLanes(mlir::Type type) {
  constexpr int64_t accessBytes = 16;
  return type.isIntOrFloat() && type.getIntOrFloatBitWidth() >= 8 && llvm::isPowerOf2_32(type.getIntOrFloatBitWidth())
             ? std::max<int64_t>(accessBytes / bytesOf(type), 1)
             : 1;
}

llvm::SmallVector<unsigned> fetchOrder(const LinearForm &form) {
  llvm::SmallVector<unsigned> dims;
  for (unsigned dim = 0; dim < form.coefficients.size(); ++dim)
    if (form.dependsOn(dim))
      dims.push_back(dim);
  llvm::sort(dims, [&](unsigned a, unsigned b) {
    return std::pair(std::abs(int64_t(form.coefficients[a])), a) <
           std::pair(std::abs(int64_t(form.coefficients[b])), b);
  });
  return dims;
}

int64_t fetchWidth(const LinearForm &form, mlir::Type type, const BlockTile &tile) {
  llvm::SmallVector<unsigned> dims = fetchOrder(form);
  if (dims.empty() || form.coefficients[dims[0]] != 1)
    return 1;
  int64_t elements = 1;
  uint64_t divides = static_cast<uint64_t>(int64_t(form.constant)) | static_cast<uint64_t>(mostLanes(type));
  for (unsigned dim : dims) {
    elements *= tile.dims[dim].block;
    if (dim != dims[0])
      divides |= static_cast<uint64_t>(int64_t(form.coefficients[dim]));
  }
  divides |= static_cast<uint64_t>(tile.dims[dims[0]].block);
  if (tile.dims[dims[0]].isRagged())
    divides |= static_cast<uint64_t>(tile.dims[dims[0]].extent);
  auto width = static_cast<int64_t>(divides & -divides);
  while (width > 1 && elements / width < tile.threads)
    width /= 2;
  return width;
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
