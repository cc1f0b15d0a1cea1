#include "passes/Schedule/Rules/Gpu/GpuSchedule.h"

#include "dialects/Target/GpuMachine.h"
#include "passes/Schedule/Rules/DefaultSchedule.h"
#include "passes/Schedule/Rules/Gpu/PointVectors.h"
#include "passes/Schedule/Rules/Gpu/Window.h"

#include "llvm/Support/MathExtras.h"

namespace cameo::schedule {

std::optional<Binding> GpuSchedule::bindingOf(unsigned loop) const {
  const BoundLoop *found = llvm::find_if(bound, [&](const BoundLoop &each) { return each.loop == loop; });
  return found == bound.end() ? std::nullopt : std::optional(found->to);
}

bool BlockTile::hasEvenPoints(const LoopNest &nest) const {
  return llvm::all_of(llvm::zip_equal(nest.dims, dims), [](auto both) {
    auto &[dim, tiled] = both;
    return dim.reduction || llvm::isPowerOf2_64(tiled.block);
  });
}

bool isTiled(const LoopNest &nest, const NestSchedule &schedule, const GpuSchedule &gpu) {
  return (gpu.tensor && !gpu.online) || llvm::any_of(gpu.bound, [&](const BoundLoop &each) {
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
    if (const Loop &loop = schedule.loops[each.loop];
        (each.to == Binding::Block || each.to == Binding::Cluster) && nest.dims[loop.dim].reduction)
      return loop;
  return std::nullopt;
}

BlockTile tileOf(const LoopNest &nest, const NestSchedule &schedule, const GpuSchedule &gpu) {
  BlockTile tile;
  for (const Dimension &dim : nest.dims) {
    int64_t extent = dim.extent;
    tile.dims.push_back({extent, extent, extent, dim.reduction ? 1 : extent, extent});
  }
  for (auto [dim, window] : llvm::zip(tile.dims, gpu.pool))
    dim.pool = window;
  for (auto [number, loop] : llvm::enumerate(schedule.loops)) {
    TiledDimension &dim = tile.dims[loop.dim];
    std::optional<Binding> binding = gpu.bindingOf(number);
    bool ofBlocks = binding == Binding::Block || binding == Binding::Cluster;
    if (!binding || ofBlocks)
      dim.block = dim.apart = loop.size;
    else if (binding == Binding::VirtualThread)
      dim.apart = loop.size;
    if (ofBlocks && nest.dims[loop.dim].reduction)
      dim.share = loop.size;
    tile.isCluster |= binding == Binding::Cluster;
    if (!nest.dims[loop.dim].reduction)
      dim.thread = loop.size;
    if (binding == Binding::Thread || binding == Binding::Warp)
      tile.threadOrder.push_back(loop.dim);
  }
  for (auto [dim, dimension] : llvm::zip_equal(tile.dims, nest.dims))
    if (dimension.reduction) {
      tile.splits *= dim.splits();
    } else {
      tile.threads *= dim.threads();
      tile.blocks *= dim.blocks();
      tile.points *= dim.parts() * dim.thread;
    }
  if (gpu.tensor) {
    tile.usesTensor = true;
    tile.usesGroups = gpu.tensor->kind == TensorKind::Wgmma;
    tile.threads *= GpuMachine::warpThreads;
    tile.points /= GpuMachine::warpThreads;
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

/// The padding in elements between rows, so that stores across rows have no bank conflicts.
static constexpr int64_t rowPadding = 4;

/// Returns the layout of an operand that has `window`.
static SharedLayout windowLayout(const Window &window, const LoopNest &nest, const BlockTile &tile) {
  SharedLayout layout;
  layout.strides.assign(nest.dims.size(), 0);
  layout.strides[window.depth] = 1;
  for (const WindowAxis &axis : window.axes)
    layout.strides[axis.dim] = axis.stride;
  layout.elements = window.elements;
  layout.isDepthInner = layout.isWindow = true;
  layout.taps = window.ofTaps;
  layout.stepsOfTap = tile.dims[window.depth].block;
  layout.vectorStride = window.vectorStride;
  layout.atomStride = window.atomStride;
  return layout;
}

/// Returns the layout for `node` as an operand of the matrix unit, where `window` is that of the other operand, if it
/// has one. Rows that are shorter than all banks share an exchange. ldmatrix cannot transpose elements of more than 16
/// bits: if their points are contiguous, four groups of threads read 8 neighbours each, of four rows.
static SharedLayout tensorLayout(const Node &node, const LoopNest &nest, const BlockTile &tile,
                                 const std::optional<Window> &window) {
  constexpr int64_t vectorBytes = 16, bankBytes = 128;
  SharedLayout layout;
  layout.strides.assign(nest.dims.size(), 0);
  llvm::SmallVector<unsigned> dims = fetchedDims(node, nest);
  layout.isDepthInner = nest.dims[dims.front()].reduction;
  int64_t row = 1;
  for (bool isInner : {true, false}) {
    for (unsigned dim = nest.dims.size(); dim-- > 0;)
      if ((nest.dims[dim].reduction == layout.isDepthInner) == isInner && node.address.dependsOn(dim) &&
          !(window && llvm::is_contained(window->taps, dim))) {
        layout.strides[dim] = layout.elements;
        layout.elements *= tile.dims[dim].block;
      }
    if (isInner)
      row = layout.elements;
  }
  if (window) {
    layout.stepsOfTap = tile.dims[window->depth].block;
    layout.stepStride = layout.strides[window->depth];
    for (size_t tap = 0; tap < window->ofTaps.size(); ++tap)
      layout.taps.push_back(static_cast<int64_t>(tap) * layout.elements);
    for (unsigned tap : llvm::reverse(window->taps)) {
      layout.strides[tap] = layout.elements;
      layout.elements *= tile.dims[tap].block;
    }
  }
  constexpr int64_t neighbours = 8;
  int64_t atOnce = readsMatrices(node, layout) ? vectorBytes : neighbours * bytesOf(node.type);
  layout.vector = atOnce / bytesOf(node.type);
  layout.row = row;
  layout.panel = tile.usesGroups ? std::min(row, bankBytes / bytesOf(node.type)) : row;
  layout.period = std::max(layout.panel, bankBytes / bytesOf(node.type));
  layout.exchanges = std::max<int64_t>(1, std::min(layout.panel / layout.vector, bankBytes / atOnce));
  return layout;
}

int64_t SharedLayout::placeOf(int64_t offset) const {
  if (hasPanels()) {
    int64_t within = offset % row;
    offset = within / panel * panelElements() + offset / row * panel + within % panel;
  }
  return offset ^ (offset / period % exchanges * vector);
}

/// Rows of panels have the bytes of all banks, so that each is a period.
int64_t SharedLayout::exchangedPart(int64_t offset) const {
  return hasPanels() ? offset / row % exchanges * row + offset % panel : offset % (period * exchanges);
}

SharedLayout sharedLayout(const Node &node, const LoopNest &nest, const BlockTile &tile) {
  if (tile.usesTensor) {
    std::optional<Window> window = findWindow(nest, tile);
    return window && findWindow(node, nest, tile) ? windowLayout(*window, nest, tile)
                                                  : tensorLayout(node, nest, tile, window);
  }
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

bool readsMatrices(const Node &node, const SharedLayout &layout) {
  constexpr int64_t turnedBytes = 2;
  return layout.isDepthInner || bytesOf(node.type) == turnedBytes;
}

llvm::SmallVector<unsigned> fetchedDims(const Node &node, const LoopNest &nest) {
  llvm::SmallVector<unsigned> dims;
  for (unsigned dim = 0; dim < nest.dims.size(); ++dim)
    if (node.address.dependsOn(dim))
      dims.push_back(dim);
  auto key = [&](unsigned dim) { return std::pair(std::abs(int64_t(node.address.coefficients[dim])), dim); };
  llvm::sort(dims, [&](unsigned a, unsigned b) { return key(a) < key(b); });
  return dims;
}

int64_t fetchWidth(const Node &node, const LoopNest &nest, const BlockTile &tile, llvm::ArrayRef<unsigned> dims) {
  constexpr int64_t accessBytes = 16;
  const LinearForm &form = node.address;
  if (dims.empty() || form.coefficients[dims[0]] != 1)
    return 1;
  int64_t elements = 1;
  uint64_t divides = static_cast<uint64_t>(int64_t(form.constant)) |
                     static_cast<uint64_t>(std::max<int64_t>(accessBytes / bytesOf(node.type), 1));
  for (unsigned dim : dims) {
    elements *= tile.dims[dim].block;
    if (dim != dims[0])
      divides |= static_cast<uint64_t>(int64_t(form.coefficients[dim]));
  }
  divides |= static_cast<uint64_t>(tile.dims[dims[0]].block);
  if (tile.dims[dims[0]].isRagged())
    divides |= static_cast<uint64_t>(tile.dims[dims[0]].extent);
  auto width = static_cast<int64_t>(divides & -divides);
  // The tiles of the matrix unit are so large that fewer, larger copies are better than using all threads.
  while (!tile.usesTensor && width > 1 && elements / width < tile.threads)
    width /= 2;
  return width;
}

bool canCopyAsync(const LoopNest &nest, NodeId load, const BlockTile &tile) {
  const Node &node = nest.nodes[load];
  int64_t bytes = bytesOf(node.type);
  if (!tile.usesTensor)
    return bytes == 4 || bytes == 8;
  llvm::SmallVector<unsigned> dims = fetchedDims(node, nest);
  constexpr int64_t fewestBytes = 4;
  return sharedLayout(node, nest, tile).strides[dims.front()] == 1 &&
         fetchWidth(node, nest, tile, dims) * bytes >= fewestBytes;
}

bool canCopyAsync(const LoopNest &nest, const GpuSchedule &gpu, const BlockTile &tile) {
  return llvm::all_of(cachedLoads(nest, gpu), [&](NodeId load) { return canCopyAsync(nest, load, tile); });
}

std::pair<NodeId, int64_t> largestMemory(const LoopNest &nest, const GpuSchedule &gpu, const BlockTile &tile) {
  std::pair<NodeId, int64_t> largest(0, 0);
  for (NodeId id : cachedLoads(nest, gpu))
    if (int64_t bytes = sharedLayout(nest.nodes[id], nest, tile).elements * bytesOf(nest.nodes[id].type) * gpu.stages;
        bytes > largest.second)
      largest = {id, bytes};
  return largest;
}

int64_t sharedBytes(const LoopNest &nest, const GpuSchedule &gpu, const BlockTile &tile) {
  int64_t bytes = 0;
  for (NodeId id : cachedLoads(nest, gpu)) {
    bytes = tile.usesGroups ? llvm::alignTo(bytes, atomBytes) : bytes;
    bytes += sharedLayout(nest.nodes[id], nest, tile).elements * bytesOf(nest.nodes[id].type) * gpu.stages;
  }
  if (int64_t vectors = bytesOfVectors(nest, gpu, tile))
    bytes = llvm::alignTo(bytes, vectorAlignment) + vectors;
  return tile.splits > 1 ? llvm::alignTo(bytes, flagBytes) + flagBytes : bytes;
}

} // namespace cameo::schedule
