#include "passes/Schedule/Rules/Gpu/PooledTile.h"

#include "passes/Schedule/Rules/DefaultSchedule.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

namespace cameo::schedule {

static constexpr int64_t vectorBytes = 16;

PooledLayout pooledLayout(const LoopNest &nest, const BlockTile &tile) {
  const Output &output = nest.outputs.front();
  int64_t vector = vectorBytes / bytesOf(nest.nodes[output.value].type);
  PooledLayout layout{0, llvm::SmallVector<int64_t>(nest.dims.size(), 0), 1};
  for (unsigned dim = 0; dim < nest.dims.size(); ++dim)
    if (!nest.dims[dim].reduction && output.address.coefficients[dim] == 1)
      layout.inner = dim;
  layout.strides[layout.inner] = 1;
  layout.elements = (llvm::divideCeil(tile.dims[layout.inner].block, vector) | 1) * vector;
  for (unsigned dim = nest.dims.size(); dim-- > 0;)
    if (!nest.dims[dim].reduction && dim != layout.inner) {
      layout.strides[dim] = layout.elements;
      layout.elements *= tile.dims[dim].block;
    }
  return layout;
}

int64_t pooledTogether(const LoopNest &nest, const BlockTile &tile, const PooledLayout &layout) {
  const TiledDimension &inner = tile.dims[layout.inner];
  uint64_t divides = static_cast<uint64_t>(vectorBytes / bytesOf(nest.nodes[nest.outputs.front().value].type)) |
                     static_cast<uint64_t>(inner.block) | static_cast<uint64_t>(inner.pool.count);
  return inner.pool.size > 1 || inner.pool.stride > 1 ? 1 : static_cast<int64_t>(divides & -divides);
}

std::string findPoolFault(const LoopNest &nest, const NestSchedule &schedule, const GpuSchedule &gpu) {
  if (!gpu.tensor || gpu.online)
    return "expected a product by the matrix unit, whose blocks pool it";
  if (gpu.chained)
    return "expected a product with blocks of its own, to pool it, got those of the product before it";
  BlockTile tile = tileOf(nest, schedule, gpu);
  if (tile.splits > 1)
    return llvm::formatv("expected blocks that have whole sums, to pool them, got {0} for each", tile.splits);
  for (auto [dim, tiled] : llvm::enumerate(tile.dims))
    if (tiled.isPooled() && tiled.block < tiled.pool.size)
      return llvm::formatv("expected blocks of at least {0} points along dimension {1}, got {2}", tiled.pool.size, dim,
                           tiled.block);
  for (NodeId id : nest.loads(/*insideReduction=*/false))
    for (auto [dim, tiled] : llvm::enumerate(tile.dims))
      if (tiled.isRagged() && nest.nodes[id].dependsOn >> dim & 1)
        return llvm::formatv(
            "expected blocks without an edge along dimension {0}, which results are computed from, got "
            "{1} of {2} points",
            dim, tiled.block, tiled.extent);
  auto [operand, room] = largestMemory(nest, gpu, tile);
  mlir::Type type = nest.nodes[nest.outputs.front().value].type;
  int64_t bytes = pooledLayout(nest, tile).elements * bytesOf(type);
  if (nest.nodes[operand].type != type || bytes > room)
    return llvm::formatv("expected results of a block in the {0} bytes of an operand of their type, got {1} bytes",
                         room, bytes);
  return "";
}

} // namespace cameo::schedule
