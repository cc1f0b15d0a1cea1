#include "passes/Schedule/Rules/Gpu/OnlineBlock.h"

#include "passes/Schedule/Rules/DefaultSchedule.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace cameo::schedule {

int64_t OnlineBlock::features() const {
  int64_t count = 0;
  for (const Columns &each : columns)
    count += each.width;
  return count;
}

int64_t OnlineBlock::sharedBytes() const {
  constexpr int64_t numberBytes = 4;
  return numberBytes * (queries.elements() + keys.elements() + weights.elements() + values.elements());
}

/// Returns the stride of a row: an odd number of vectors, so that vectors of neighbouring rows begin in different
/// banks.
static int64_t strideOf(int64_t columns) {
  int64_t vectors = llvm::divideCeil(columns, onlineVector);
  return (vectors | 1) * onlineVector;
}

OnlineBlock onlineBlock(const Attention &attention, const OnlineTile &tile) {
  OnlineBlock block;
  block.threads = tile.rows / onlineRowsOfThread * onlineThreadsOfRow;
  block.blocks = attention.heads() * llvm::divideCeil(attention.rows(), tile.rows);
  block.parts = llvm::divideCeil(attention.keys(), tile.keys);
  block.keysOfThread = tile.keys / onlineThreadsOfRow;
  int64_t begin = 0, features = attention.features();
  while (begin < features) {
    int64_t width = onlineVector;
    while (width > 1 && features - begin < width * onlineThreadsOfRow)
      width /= 2;
    block.columns.push_back({begin, width});
    begin += width * onlineThreadsOfRow;
  }
  int64_t depth = llvm::alignTo(attention.depths(), onlineVector);
  block.queries = {tile.rows, depth, strideOf(depth)};
  block.keys = {tile.keys, depth, strideOf(depth)};
  block.weights = {tile.rows, tile.keys, strideOf(tile.keys)};
  // The threads of a row read neighbouring elements here, so no padding is needed.
  block.values = {tile.keys, begin, begin};
  return block;
}

std::string findOnlineFault(const Attention &attention, const OnlineTile &tile, const GpuMachine &gpu) {
  constexpr int64_t mostRows = 64, mostKeys = 64;
  constexpr int64_t rowsOfWarp = GpuMachine::warpThreads / onlineThreadsOfRow * onlineRowsOfThread;
  if (tile.rows % rowsOfWarp != 0 || tile.rows > mostRows)
    return llvm::formatv("expected a multiple of {0} rows, at most {1}, got {2}", rowsOfWarp, mostRows, tile.rows);
  if (tile.keys % onlineThreadsOfRow != 0 || tile.keys > mostKeys)
    return llvm::formatv("expected a multiple of {0} keys, at most {1}, got {2}", onlineThreadsOfRow, mostKeys,
                         tile.keys);
  OnlineBlock block = onlineBlock(attention, tile);
  if (int64_t most = GpuMachine::staticSharedBytes; block.sharedBytes() > most)
    return llvm::formatv("expected queries, keys, weights and values of a block in {0} bytes of shared memory, got {1}",
                         most, block.sharedBytes());
  constexpr int64_t mostSums = 96;
  if (block.sums() > mostSums)
    return llvm::formatv("expected at most {0} sums per thread, got {1}", mostSums, block.sums());
  return "";
}

int64_t onlineFetchWidth(const LoopNest &nest, NodeId node, unsigned inner) {
  constexpr int64_t accessBytes = 16;
  const Node &load = nest.nodes[node];
  const LinearForm &form = load.address;
  if (form.coefficients[inner] != 1)
    return 1;
  uint64_t divides = static_cast<uint64_t>(accessBytes / bytesOf(load.type)) |
                     static_cast<uint64_t>(int64_t(nest.dims[inner].extent)) |
                     static_cast<uint64_t>(int64_t(form.constant));
  for (auto [dim, coefficient] : llvm::enumerate(form.coefficients))
    if (dim != inner)
      divides |= static_cast<uint64_t>(int64_t(coefficient));
  return static_cast<int64_t>(divides & -divides);
}

} // namespace cameo::schedule
