// Chooses the fastest tile of a list by a simple model of a multiprocessor. Small products use small tiles, so that all
// multiprocessors have work.
#include "passes/Schedule/Rules/Gpu/ChooseBlockTile.h"

#include "passes/Schedule/Rules/ByteDot.h"
#include "passes/Schedule/Rules/DefaultSchedule.h"
#include "passes/Schedule/Rules/Gpu/ChooseTensorTile.h"
#include "passes/Schedule/Rules/Gpu/PackConstants.h"
#include "passes/Schedule/Rules/Gpu/ThreadModel.h"
#include "passes/Schedule/Rules/Gpu/TileSizes.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace cameo::schedule {
namespace {

constexpr BlockShape shapes[] = {
    {128, 128, 8, 8, 8}, {128, 64, 8, 8, 8},  {64, 128, 8, 8, 8},  {64, 64, 4, 4, 16},  {64, 64, 8, 4, 16},
    {64, 64, 8, 8, 8},   {128, 32, 8, 4, 16}, {32, 128, 4, 8, 16}, {64, 32, 4, 4, 16},  {32, 64, 4, 4, 16},
    {32, 32, 4, 2, 32},  {16, 64, 2, 4, 32},  {16, 128, 4, 4, 16}, {64, 16, 4, 2, 32},  {16, 32, 2, 2, 32},
    {8, 128, 2, 4, 32},  {8, 64, 1, 4, 32},   {4, 128, 1, 4, 32},  {128, 16, 4, 4, 16}, {128, 8, 4, 2, 16},
    {128, 64, 8, 4, 16}, {128, 32, 8, 8, 16}, {64, 128, 8, 4, 8},  {64, 64, 8, 4, 8},   {64, 32, 4, 8, 16},
    {64, 32, 4, 4, 32},  {32, 128, 4, 4, 16}, {32, 64, 8, 4, 16},  {32, 64, 4, 4, 8},   {32, 32, 4, 4, 16},
    {16, 128, 8, 2, 8},  {16, 64, 4, 4, 32},  {16, 64, 8, 2, 32},  {16, 64, 4, 2, 32},  {16, 64, 4, 2, 8},
    {16, 32, 2, 4, 32},  {16, 32, 2, 4, 8},
};

/// How operands are copied to shared memory, how many of their parts it holds, and how many blocks share the depth.
struct Staging {
  unsigned stages;
  Copy copy;
  int64_t splits = 1;
};

/// Of equal ones the first wins: asynchronous copies need at least as many instructions.
constexpr Staging stagings[] = {{2, Copy::Vector}, {3, Copy::Async}, {4, Copy::Async}};

/// Bytes per cycle that all multiprocessors together read from the second-level cache.
constexpr double fetchedBytesPerCycle = 7820;
/// The costs of splitting the depth: cycles from the end of one kernel to the end of a short kernel after it, and bytes
/// of partial sums per cycle through the second-level cache.
constexpr double launchCycles = 3950, partBytesPerCycle = 4350;

class BlockTileChoice {
public:
  BlockTileChoice(const LoopNest &nest, const Contraction &contraction, const GpuMachine &gpu)
      : nest(nest), contraction(contraction), gpu(gpu), canAddParts(canReduceTogether(nest)),
        hasByteProducts(matchByteProducts(nest)) {}

  std::optional<BlockTileOption> choose();
  std::vector<BlockTileOption> options();

private:
  bool fits(const ThreadSchedule &candidate) const;
  /// Whether `splits` blocks can share the depth.
  bool canSplit(const BlockShape &shape, int64_t splits) const {
    return splits == 1 || (canAddParts && findSplit(nest, contraction.depth, divideDepth(shape.depth), splits));
  }
  SmallVector<int64_t> divideDepth(int64_t steps) const;
  int64_t blocksOf(const BlockShape &shape) const;
  BlockTile tileFor(const BlockShape &shape) const;
  double residentBlocks(const BlockShape &shape, const Staging &staging, int64_t stepBytes) const;
  double copyInstructions(NodeId load, const BlockTile &tile, Copy copy) const;
  double costOf(const BlockShape &shape, const Staging &staging) const;
  ThreadSchedule scheduleFor(const BlockShape &shape, const Staging &staging) const;

  const LoopNest &nest;
  const Contraction &contraction;
  const GpuMachine &gpu;
  bool canAddParts, hasByteProducts;
};

/// Returns the number of steps per fetch along each dimension of the depth, about `steps` in total, contiguous ones of
/// the left operand first.
SmallVector<int64_t> BlockTileChoice::divideDepth(int64_t steps) const {
  SmallVector<int64_t> sizes(contraction.depth.size(), 1);
  SmallVector<size_t> order = depthOrder(nest, contraction);
  for (size_t number : order) {
    int64_t extent = nest.dims[contraction.depth[number]].extent, size = std::min(extent, steps);
    while (size > steps / 2 && extent % size != 0)
      --size;
    // Zeros pad extents without a suitable divisor.
    sizes[number] = extent % size == 0 ? size : std::min(extent, steps);
    steps /= sizes[number];
    if (steps < 2)
      break;
  }
  return sizes;
}

int64_t BlockTileChoice::blocksOf(const BlockShape &shape) const {
  return blocksAlong(nest, contraction.rows, divideTile(nest, contraction.rows, shape.rows)) *
         blocksAlong(nest, contraction.columns, divideTile(nest, contraction.columns, shape.columns)) *
         Contraction::extentOf(nest, contraction.batch);
}

/// Returns the number of blocks that a multiprocessor runs at once, limited by registers, threads and shared memory.
double BlockTileChoice::residentBlocks(const BlockShape &shape, const Staging &staging, int64_t stepBytes) const {
  int64_t points = shape.threadRows * shape.threadColumns, threads = shape.rows * shape.columns / points;
  double byRegisters =
      static_cast<double>(gpu.registers) /
      (static_cast<double>(threads) * (registersBeside + registersOfPoint * static_cast<double>(points)));
  double byMemory = static_cast<double>(gpu.sharedBytes) / static_cast<double>(stepBytes * staging.stages);
  return std::max(1.0, std::floor(std::min({byRegisters, byMemory, static_cast<double>(residentThreads / threads)})));
}

/// Returns the points of a block and the steps per fetch, without the tiles of its threads.
BlockTile BlockTileChoice::tileFor(const BlockShape &shape) const {
  BlockTile tile;
  for (const Dimension &dim : nest.dims)
    tile.dims.push_back({dim.extent});
  auto set = [&](ArrayRef<unsigned> dims, ArrayRef<int64_t> sizes) {
    for (auto [dim, size] : llvm::zip_equal(dims, sizes))
      tile.dims[dim].block = size;
  };
  set(contraction.rows, divideTile(nest, contraction.rows, shape.rows));
  set(contraction.columns, divideTile(nest, contraction.columns, shape.columns));
  set(contraction.depth, divideDepth(shape.depth));
  tile.threads = shape.rows * shape.columns / (shape.threadRows * shape.threadColumns);
  return tile;
}

/// Returns the instructions of a thread for copying its share of an operand to shared memory.
double BlockTileChoice::copyInstructions(NodeId load, const BlockTile &tile, Copy copy) const {
  SmallVector<unsigned> order = fetchedDims(nest.nodes[load], nest);
  int64_t elements = 1;
  for (unsigned dim : order)
    elements *= tile.dims[dim].block;
  double share = static_cast<double>(elements) / static_cast<double>(tile.threads);
  auto width = static_cast<double>(fetchWidth(nest.nodes[load], nest, tile, order));
  bool isTurned = !order.empty() && nest.dims[order.front()].reduction;
  if (copy == Copy::Async)
    return asyncCopy * share / (isTurned ? 1 : width);
  constexpr double storedAtOnce = 4;
  return vectorFetch * share / width + sharedStore * share / (isTurned ? 1 : std::min(width, storedAtOnce));
}

/// Returns the estimated cycles. In a step, the warps of all blocks on a multiprocessor issue their instructions; more
/// warps interleave better. A step takes at least the latency of a fetch divided by the fetches in flight, and the time
/// in which all blocks read their data. Partial sums are written and read once more.
double BlockTileChoice::costOf(const BlockShape &shape, const Staging &staging) const {
  BlockTile tile = tileFor(shape);
  int64_t blocks = blocksOf(shape) * staging.splits, points = shape.threadRows * shape.threadColumns, steps = 1,
          atOnce = 1;
  for (unsigned dim : contraction.depth) {
    steps *= llvm::divideCeil(tile.dims[dim].extent, tile.dims[dim].block);
    atOnce *= tile.dims[dim].block;
  }
  auto vectors = [](int64_t side) { return static_cast<double>(llvm::divideCeil(side, 4)); };
  int64_t stepBytes = (shape.rows + shape.columns) * atOnce * bytesOf(nest.nodes[contraction.left].type);
  double groups = static_cast<double>(atOnce) / (hasByteProducts ? dotGroup : 1);
  double instructions = groups * (static_cast<double>(points) * (hasByteProducts ? groupProduct : 1) +
                                  sharedLoad * (hasByteProducts ? groupLoads : 1) *
                                      (vectors(shape.threadRows) + vectors(shape.threadColumns))) +
                        copyInstructions(contraction.left, tile, staging.copy) +
                        copyInstructions(contraction.right, tile, staging.copy) + stepInstructions;
  double waves = static_cast<double>(llvm::divideCeil(blocks, gpu.processors)),
         resident = residentBlocks(shape, staging, stepBytes);
  double warps = static_cast<double>(tile.threads) / (GpuMachine::warpThreads * schedulers),
         together = std::min(waves, resident) * warps;
  double rate = together < 1 ? aloneRate * together : std::min(mostRate, aloneRate + addedRate * (together - 1));
  double turns = std::max(1.0, waves / resident);
  double fetch = fetchCycles / static_cast<double>(staging.stages - 1) * turns;
  double fetched = std::min(static_cast<double>(blocks), static_cast<double>(gpu.processors) * resident) *
                   static_cast<double>(stepBytes) / fetchedBytesPerCycle * turns;
  double step = std::max({waves * warps * instructions / rate, fetch, fetched}) +
                (staging.copy == Copy::Async ? 0 : waitCycles / together);
  double cycles = startCycles + static_cast<double>(steps) / static_cast<double>(staging.splits) * step +
                  pointCycles * static_cast<double>(points) * waves * warps;
  if (staging.splits == 1)
    return cycles;
  int64_t all = Contraction::extentOf(nest, contraction.rows) * Contraction::extentOf(nest, contraction.columns) *
                Contraction::extentOf(nest, contraction.batch);
  double partBytes =
      static_cast<double>(2 * staging.splits * all * bytesOf(nest.nodes[nest.reductions[0].update].type));
  return cycles + launchCycles + partBytes / partBytesPerCycle;
}

ThreadSchedule BlockTileChoice::scheduleFor(const BlockShape &shape, const Staging &staging) const {
  SmallVector<TiledDimension> dims(nest.dims.size());
  auto set = [&](ArrayRef<unsigned> group, ArrayRef<int64_t> sizes, int64_t threadPoints) {
    constexpr int64_t neighbours = 4;
    for (auto [dim, size] : llvm::zip_equal(group, sizes))
      dims[dim] = {nest.dims[dim].extent, size, size, 1, nest.dims[dim].extent};
    if (group.empty())
      return;
    TiledDimension &last = dims[group.back()];
    last.thread = std::min({threadPoints, neighbours, last.block});
    int64_t left = threadPoints / last.thread;
    for (unsigned dim : llvm::reverse(group)) {
      int64_t parts = std::min(left, dims[dim].block / dims[dim].thread);
      dims[dim].apart = dims[dim].block / parts;
      left /= parts;
    }
  };
  set(contraction.rows, divideTile(nest, contraction.rows, shape.rows), shape.threadRows);
  set(contraction.columns, divideTile(nest, contraction.columns, shape.columns), shape.threadColumns);
  set(contraction.batch, SmallVector<int64_t>(contraction.batch.size(), 1), 1);
  ThreadSchedule chosen;
  auto bind = [&](unsigned dim, int64_t size, Binding to) {
    chosen.threads.bound.push_back({static_cast<unsigned>(chosen.loops.loops.size()), to});
    chosen.loops.loops.push_back({dim, size});
  };
  auto forParallel = [&](auto fn) {
    for (unsigned dim = 0; dim < nest.dims.size(); ++dim)
      if (!nest.dims[dim].reduction)
        fn(dim);
  };
  forParallel([&](unsigned dim) { bind(dim, dims[dim].block, Binding::Block); });
  SmallVector<int64_t> depth = divideDepth(shape.depth);
  if (staging.splits > 1) {
    unsigned split = *findSplit(nest, contraction.depth, depth, staging.splits);
    bind(split, int64_t(nest.dims[split].extent) / staging.splits, Binding::Block);
  }
  for (auto [dim, size] : llvm::zip_equal(contraction.depth, depth))
    chosen.loops.loops.push_back({dim, size});
  forParallel([&](unsigned dim) {
    if (dims[dim].apart < dims[dim].block)
      bind(dim, dims[dim].apart, Binding::VirtualThread);
  });
  forParallel([&](unsigned dim) {
    if (dims[dim].thread < dims[dim].apart)
      bind(dim, dims[dim].thread, Binding::Thread);
  });
  for (NodeId load : {contraction.left, contraction.right})
    if (!llvm::is_contained(chosen.threads.cachedBuffers, nest.nodes[load].buffer))
      chosen.threads.cachedBuffers.push_back(nest.nodes[load].buffer);
  // Four bytes along the depth are multiplied at once.
  for (auto [dim, size] : llvm::zip_equal(contraction.depth, depth))
    if (size % dotGroup == 0 && matchByteProducts(nest))
      chosen.loops.dotDim = dim;
  chosen.threads.stages = staging.stages;
  chosen.threads.copy = staging.copy;
  return chosen;
}

bool BlockTileChoice::fits(const ThreadSchedule &candidate) const {
  BlockTile tile = tileOf(nest, candidate.loops, candidate.threads);
  // A single fetch has no loop around it, and NVIDIA's assembler hoists all loads of the factors of a thread.
  constexpr int64_t mostFactors = 192;
  int64_t fetches = 1, steps = 1;
  for (unsigned dim : contraction.depth) {
    fetches *= tile.dims[dim].fetches();
    steps *= tile.dims[dim].block;
  }
  auto ofThread = [&](ArrayRef<unsigned> dims) {
    int64_t points = 1;
    for (unsigned dim : dims)
      points *= tile.dims[dim].parts() * tile.dims[dim].thread;
    return points;
  };
  steps /= hasByteProducts ? dotGroup : 1;
  bool isSpilled = fetches == 1 && steps * (ofThread(contraction.rows) + ofThread(contraction.columns)) > mostFactors;
  return !isSpilled && sharedBytes(nest, candidate.threads, tile) <= GpuMachine::staticSharedBytes &&
         (candidate.threads.copy == Copy::Vector || canCopyAsync(nest, candidate.threads, tile));
}

std::optional<BlockTileOption> BlockTileChoice::choose() {
  std::optional<BlockTileOption> best;
  auto weigh = [&](const BlockShape &shape, const Staging &staging) {
    if (!canSplit(shape, staging.splits))
      return;
    double cost = costOf(shape, staging);
    if (best && cost >= best->cycles)
      return;
    if (ThreadSchedule candidate = scheduleFor(shape, staging); fits(candidate))
      best = {shape, staging.splits, std::move(candidate), cost};
  };
  for (int64_t splits : {1, 2, 4, 8, 16})
    for (const Staging &staging : stagings)
      for (const BlockShape &shape : shapes)
        weigh(shape, {staging.stages, staging.copy, splits});
  return best;
}

std::vector<BlockTileOption> BlockTileChoice::options() {
  constexpr int64_t sides[] = {4, 8, 16, 32, 64, 128, 256}, threadSides[] = {1, 2, 4, 8, 16},
                    depths[] = {8, 16, 32, 64}, fewestThreads = GpuMachine::warpThreads, mostPoints = 128;
  constexpr Staging searched[] = {{2, Copy::Vector}, {2, Copy::Async}, {3, Copy::Async}, {4, Copy::Async}};
  int64_t rows = Contraction::extentOf(nest, contraction.rows),
          columns = Contraction::extentOf(nest, contraction.columns);
  std::vector<BlockTileOption> all;
  auto add = [&](const BlockShape &shape) {
    int64_t points = shape.threadRows * shape.threadColumns, threads = shape.rows * shape.columns / points;
    bool isWhole = shape.rows % shape.threadRows == 0 && shape.columns % shape.threadColumns == 0;
    // A tile of twice the extent or more would be mostly empty.
    if (!isWhole || points > mostPoints || threads < fewestThreads || threads > GpuMachine::mostThreads ||
        shape.rows >= 2 * rows || shape.columns >= 2 * columns)
      return;
    int64_t blocks = blocksOf(shape);
    for (const Staging &each : searched)
      for (int64_t splits : {1, 2, 4, 8, 16}) {
        Staging staging{each.stages, each.copy, splits};
        // More blocks than run at once gain nothing.
        constexpr int64_t blocksAtOnce = 4;
        if (!canSplit(shape, splits) || (splits > 1 && blocks * splits > blocksAtOnce * gpu.processors))
          continue;
        if (ThreadSchedule schedule = scheduleFor(shape, staging); fits(schedule))
          all.push_back({shape, splits, std::move(schedule), costOf(shape, staging)});
      }
  };
  for (int64_t blockRows : sides)
    for (int64_t blockColumns : sides)
      for (int64_t threadRows : threadSides)
        for (int64_t threadColumns : threadSides)
          for (int64_t depth : depths)
            add({blockRows, blockColumns, threadRows, threadColumns, depth});
  return all;
}

} // namespace

std::optional<BlockTileOption> chooseBlockTile(const TaskProgram &program, const LoopNest &nest, const GpuMachine &gpu,
                                               Beside beside) {
  std::optional<Contraction> contraction = findTiledContraction(nest);
  if (!contraction)
    return std::nullopt;
  LoopNest packed = packLoads(program, nest, PackedOrder::PointsInner);
  std::optional<BlockTileOption> best = BlockTileChoice(packed, *contraction, gpu).choose(),
                                 tensor = chooseTensorTile(program, nest, gpu, beside);
  if (tensor && (!best || tensor->cycles < best->cycles))
    best = std::move(tensor);
  if (!best)
    return std::nullopt;
  packConstants(program, nest, best->schedule);
  return best;
}

std::vector<BlockTileOption> blockTileOptions(const TaskProgram &program, const LoopNest &nest, const GpuMachine &gpu) {
  std::optional<Contraction> contraction = findTiledContraction(nest);
  if (!contraction)
    return {};
  LoopNest packed = packLoads(program, nest, PackedOrder::PointsInner);
  std::vector<BlockTileOption> all = BlockTileChoice(packed, *contraction, gpu).options();
  llvm::append_range(all, tensorTileOptions(program, nest, gpu));
  for (BlockTileOption &option : all)
    packConstants(program, nest, option.schedule);
  return all;
}

} // namespace cameo::schedule
