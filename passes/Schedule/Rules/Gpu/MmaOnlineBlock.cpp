#include "passes/Schedule/Rules/Gpu/MmaOnlineBlock.h"

#include "passes/Schedule/Rules/DefaultSchedule.h"
#include "passes/Schedule/Rules/Gpu/TensorProduct.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

namespace cameo::schedule {

static int64_t bytesOfLayout(const SharedLayout &layout, const LoopNest &nest, NodeId load) {
  return layout.elements * bytesOf(nest.nodes[load].type);
}

SharedLayout MmaOnlineBlock::queryLayout(const Attention &attention) const {
  return sharedLayout(attention.scores.nodes[attention.query.left], attention.scores, scores);
}

SharedLayout MmaOnlineBlock::keyLayout(const Attention &attention) const {
  return sharedLayout(attention.scores.nodes[attention.query.right], attention.scores, scores);
}

SharedLayout MmaOnlineBlock::valueLayout(const Attention &attention) const {
  return sharedLayout(attention.values.nodes[attention.value.right], attention.values, values);
}

int64_t MmaOnlineBlock::sharedBytes(const Attention &attention) const {
  return bytesOfLayout(queryLayout(attention), attention.scores, attention.query.left) +
         stages * (bytesOfLayout(keyLayout(attention), attention.scores, attention.query.right) +
                   bytesOfLayout(valueLayout(attention), attention.values, attention.value.right));
}

int64_t MmaOnlineBlock::sums(const Attention &attention) const {
  constexpr int64_t rowsOfThread = 2, knownOfRow = 2; // the maximum score and the sum of exponentials
  return mmaRows * attention.features() / GpuMachine::warpThreads + rowsOfThread * knownOfRow;
}

std::optional<TensorShape> findOnlineTensor(const Attention &attention, const GpuMachine &gpu) {
  std::optional<TensorProduct> scores = findTensorProduct(attention.scores, gpu),
                               values = findTensorProduct(attention.values, gpu);
  bool areAlike =
      scores && values && scores->shape == values->shape &&
      attention.scores.nodes[attention.query.left].type == attention.values.nodes[attention.value.right].type;
  return areAlike ? std::optional(scores->shape) : std::nullopt;
}

/// Returns a tile with one point along each dimension of `nest`.
static BlockTile pointTile(const LoopNest &nest) {
  BlockTile tile;
  tile.usesTensor = true;
  for (const Dimension &dim : nest.dims) {
    int64_t extent = dim.extent;
    tile.dims.push_back({extent, 1, 1, 1, extent});
  }
  return tile;
}

/// Gives blocks `block` points along `dim`, and warps `warp` of them.
static void divide(TiledDimension &dim, int64_t block, int64_t warp) {
  dim.block = dim.apart = block;
  dim.thread = warp;
}

static int64_t upToPower(int64_t count) {
  return static_cast<int64_t>(llvm::PowerOf2Ceil(static_cast<uint64_t>(count)));
}

MmaOnlineBlock mmaOnlineBlock(const Attention &attention, const OnlineTile &tile) {
  MmaOnlineBlock block;
  block.threads = tile.rows / mmaRows * GpuMachine::warpThreads;
  block.blocks = attention.heads() * llvm::divideCeil(attention.rows(), tile.rows);
  block.parts = llvm::divideCeil(attention.keys(), tile.keys);
  block.stages = block.parts > 1 ? 2 : 1;
  block.scores = pointTile(attention.scores);
  block.values = pointTile(attention.values);
  block.scores.threads = block.values.threads = block.threads;
  block.scores.blocks = block.values.blocks = block.blocks;
  divide(block.scores.dims[attention.row.ofScores], tile.rows, mmaRows);
  divide(block.values.dims[attention.row.ofValues], tile.rows, mmaRows);
  divide(block.scores.dims[attention.key.ofScores], tile.keys, tile.keys);
  divide(block.values.dims[attention.key.ofValues], tile.keys, /*warp=*/1);
  divide(block.scores.dims[attention.depth], upToPower(attention.depths()), /*warp=*/1);
  int64_t features = upToPower(attention.features());
  divide(block.values.dims[attention.feature], features, features);
  return block;
}

std::string findMmaOnlineFault(const Attention &attention, const OnlineTile &tile, const TensorShape &tensor,
                               const GpuMachine &gpu) {
  if (findOnlineTensor(attention, gpu) != tensor)
    return llvm::formatv("expected products of f16, of bf16, or of f32 where a target's gpu_math is another type, for "
                         "the matrix unit, with the instruction for this type, got {0} of depth {1}",
                         stringifyTensorKind(tensor.kind), tensor.depth);
  constexpr int64_t mostRows = 128, mostKeys = 128, fewestKeys = 16, mostSide = 128, multiple = 16;
  if (!llvm::isPowerOf2_64(tile.rows) || tile.rows < mmaRows || tile.rows > mostRows)
    return llvm::formatv("expected a power of two from {0} to {1} as rows, got {2}", mmaRows, mostRows, tile.rows);
  if (!llvm::isPowerOf2_64(tile.keys) || tile.keys < fewestKeys || tile.keys > mostKeys)
    return llvm::formatv("expected a power of two from {0} to {1} as keys, got {2}", fewestKeys, mostKeys, tile.keys);
  for (int64_t side : {attention.depths(), attention.features()})
    if (side % multiple != 0 || side > mostSide)
      return llvm::formatv("expected depths and features that are multiples of {0}, at most {1}, for the matrix unit, "
                           "got {2}",
                           multiple, mostSide, side);
  MmaOnlineBlock block = mmaOnlineBlock(attention, tile);
  if (!canCopyAsync(attention.scores, attention.query.left, block.scores) ||
      !canCopyAsync(attention.scores, attention.query.right, block.scores) ||
      !canCopyAsync(attention.values, attention.value.right, block.values))
    return "expected queries, keys and values with contiguous runs of 4 bytes or more, for the matrix unit";
  if (int64_t most = GpuMachine::staticSharedBytes; block.sharedBytes(attention) > most)
    return llvm::formatv("expected queries, keys and values of a block in {0} bytes of shared memory, got {1}", most,
                         block.sharedBytes(attention));
  return "";
}

} // namespace cameo::schedule
