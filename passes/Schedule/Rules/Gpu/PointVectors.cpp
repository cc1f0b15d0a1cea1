#include "passes/Schedule/Rules/Gpu/PointVectors.h"

#include "passes/Schedule/Rules/DefaultSchedule.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace cameo::schedule {

/// Returns how many elements of `load`, which varies along `dim`, one copy of 4, 8 or 16 bytes has; 0 if none can.
static int64_t copiedAtOnce(const Node &load, const TiledDimension &dim) {
  constexpr int64_t mostBytes = 16, fewestBytes = 4;
  int64_t bytes = bytesOf(load.type);
  uint64_t divides = static_cast<uint64_t>(std::max<int64_t>(mostBytes / bytes, 1)) |
                     static_cast<uint64_t>(int64_t(load.address.constant)) | static_cast<uint64_t>(dim.block);
  if (dim.isRagged())
    divides |= static_cast<uint64_t>(dim.extent);
  auto width = static_cast<int64_t>(divides & -divides);
  return width * bytes < fewestBytes || width * bytes > mostBytes ? 0 : width;
}

llvm::SmallVector<PointVector> pointVectors(const LoopNest &nest, const GpuSchedule &gpu, const BlockTile &tile) {
  llvm::SmallVector<PointVector> vectors;
  if (!gpu.tensor || gpu.copy != Copy::Async)
    return vectors;
  for (NodeId id : nest.loads(/*insideReduction=*/false)) {
    const Node &node = nest.nodes[id];
    if (node.kind != Node::Kind::Load || node.shared || !node.transforms.empty() || node.type.isInteger(1))
      continue;
    llvm::SmallVector<unsigned> dims = fetchedDims(node, nest);
    if (dims.size() != 1 || node.address.coefficients[dims[0]] != 1 || nest.dims[dims[0]].reduction ||
        tile.dims[dims[0]].block == 1)
      continue;
    // A thread has every fourth point of its warp, and blocks that divide a sum store a share of them each. A copy is
    // code of its own, which few loads are not worth.
    constexpr int64_t pointsApart = 4, leastSavedBytes = 2048;
    int64_t width = copiedAtOnce(node, tile.dims[dims[0]]);
    int64_t saved = tile.dims[dims[0]].thread / (pointsApart * tile.splits) - width;
    if (width > 0 && saved * tile.threads * bytesOf(node.type) >= leastSavedBytes)
      vectors.push_back({id, dims[0], width});
  }
  return vectors;
}

int64_t bytesOfVectors(const LoopNest &nest, const GpuSchedule &gpu, const BlockTile &tile) {
  int64_t bytes = 0;
  for (const PointVector &vector : pointVectors(nest, gpu, tile))
    bytes += llvm::alignTo(tile.dims[vector.dim].block * bytesOf(nest.nodes[vector.load].type), vectorAlignment);
  return bytes;
}

} // namespace cameo::schedule
