// Of a list of tiles the one that a simple model of a multiprocessor finds fastest: small products take small tiles, so
// that all of the device works.
#include "passes/Schedule/Rules/Gpu/ChooseBlockTile.h"

#include "passes/Schedule/Rules/ByteDot.h"
#include "passes/Schedule/Rules/DefaultSchedule.h"
#include "passes/Schedule/Rules/Gpu/ChooseTensorTile.h"
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
};

/// How operands get into shared memory, and how many of their parts it has; and how many blocks divide the depth.
struct Staging {
  unsigned stages;
  Copy copy;
  int64_t splits = 1;
};

/// Of equal ones the first: threads that copy past registers issue no fewer instructions.
constexpr Staging stagings[] = {{2, Copy::Vector}, {3, Copy::Async}, {4, Copy::Async}};

/// A multiprocessor begins instructions of four warps in a cycle. These numbers are fitted to the times of 122 products
/// of ten networks on an H200 (utils/gpu/session/results.md): the estimate is off by 8 % in the median, and puts them
/// in order with a rank correlation of 0.98.
constexpr double schedulers = 4;
/// Instructions of a warp per cycle of its scheduler where it is alone, what a second one adds, and the most.
constexpr double aloneRate = 0.49, addedRate = 0.76, mostRate = 0.9;
/// As many instructions as reading a vector from shared memory takes, fetching an element through registers or past
/// them, and what else there is in a step.
constexpr double sharedLoad = 4.75, vectorCopy = 2.6, asyncCopy = 12, stepInstructions = 20;
/// Cycles until a fetch has arrived, those that threads wait where they fetch into registers, those from the begin of a
/// kernel to its first product, and for each point of a thread.
constexpr double fetchCycles = 1425, waitCycles = 45, startCycles = 2300, pointCycles = 56;
/// Registers that a thread has beside those for its points, and for each of these.
constexpr double registersBeside = 40, registersOfPoint = 2.2;
/// Threads that a multiprocessor holds.
constexpr int64_t residentThreads = 2048;

/// Cycles from the end of one kernel to that of a short one behind it, and bytes per cycle that pass through the
/// second-level cache: what parts of sums cost.
constexpr double launchCycles = 4000, l2BytesPerCycle = 2048;

class BlockTileChoice {
public:
  BlockTileChoice(const LoopNest &nest, const Contraction &contraction, const GpuMachine &gpu)
      : nest(nest), contraction(contraction), gpu(gpu), canAddParts(canReduceTogether(nest)),
        hasByteProducts(matchByteProducts(nest)) {}

  std::optional<BlockTileOption> choose();
  std::vector<BlockTileOption> options();

private:
  bool fits(const ThreadSchedule &candidate) const;
  /// Whether so many blocks can divide the depth.
  bool canSplit(const BlockShape &shape, int64_t splits) const {
    return splits == 1 || (canAddParts && findSplit(nest, contraction.depth, divideDepth(shape.depth), splits));
  }
  SmallVector<int64_t> divideDepth(int64_t steps) const;
  int64_t blocksOf(const BlockShape &shape) const;
  double residentBlocks(const BlockShape &shape, const Staging &staging) const;
  double costOf(const BlockShape &shape, const Staging &staging) const;
  ThreadSchedule scheduleFor(const BlockShape &shape, const Staging &staging) const;

  const LoopNest &nest;
  const Contraction &contraction;
  const GpuMachine &gpu;
  bool canAddParts, hasByteProducts;
};

/// Steps along each dimension of the depth that are fetched at once, about `steps` of them, neighbours of the left
/// operand first.
SmallVector<int64_t> BlockTileChoice::divideDepth(int64_t steps) const {
  SmallVector<int64_t> sizes(contraction.depth.size(), 1);
  SmallVector<size_t> order = llvm::to_vector(llvm::seq(sizes.size()));
  auto distance = [&](size_t number) {
    return std::abs(int64_t(nest.nodes[contraction.left].address.coefficients[contraction.depth[number]]));
  };
  llvm::sort(order, [&](size_t a, size_t b) { return std::pair(distance(a), b) < std::pair(distance(b), a); });
  for (size_t number : order) {
    int64_t extent = nest.dims[contraction.depth[number]].extent, size = std::min(extent, steps);
    while (size > steps / 2 && extent % size != 0)
      --size;
    // Zeros fill up what no good size divides.
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

/// Blocks that a multiprocessor runs at once, as far as registers, threads and shared memory go.
double BlockTileChoice::residentBlocks(const BlockShape &shape, const Staging &staging) const {
  int64_t points = shape.threadRows * shape.threadColumns, threads = shape.rows * shape.columns / points;
  double byRegisters =
      static_cast<double>(gpu.registers) /
      (static_cast<double>(threads) * (registersBeside + registersOfPoint * static_cast<double>(points)));
  int64_t bytes =
      (shape.rows + shape.columns) * shape.depth * bytesOf(nest.nodes[contraction.left].type) * staging.stages;
  double byMemory = static_cast<double>(gpu.sharedBytes) / static_cast<double>(bytes);
  return std::max(1.0, std::floor(std::min({byRegisters, byMemory, static_cast<double>(residentThreads / threads)})));
}

/// Cycles. In a step the warps of all blocks of a multiprocessor issue their instructions, the better interleaved the
/// more of them there are, and no step takes less than a fetch, of which several may be under way. Parts of sums are
/// written and read once more.
double BlockTileChoice::costOf(const BlockShape &shape, const Staging &staging) const {
  int64_t blocks = blocksOf(shape) * staging.splits, points = shape.threadRows * shape.threadColumns;
  SmallVector<int64_t> depth = divideDepth(shape.depth);
  int64_t steps = blocksAlong(nest, contraction.depth, depth) / staging.splits, atOnce = 1;
  for (int64_t size : depth)
    atOnce *= size;
  auto vectors = [](int64_t side) { return static_cast<double>(llvm::divideCeil(side, 4)); };
  double threads = static_cast<double>(shape.rows * shape.columns / points),
         groups = static_cast<double>(atOnce) / (hasByteProducts ? dotGroup : 1);
  double copied = static_cast<double>(shape.rows + shape.columns) * groups / threads;
  double instructions =
      groups * (static_cast<double>(points) + sharedLoad * (vectors(shape.threadRows) + vectors(shape.threadColumns))) +
      copied * (staging.copy == Copy::Async ? asyncCopy : vectorCopy) + stepInstructions;
  double waves = static_cast<double>(llvm::divideCeil(blocks, gpu.processors)),
         resident = residentBlocks(shape, staging);
  double warps = threads / (GpuMachine::warpThreads * schedulers), together = std::min(waves, resident) * warps;
  double rate = together < 1 ? aloneRate * together : std::min(mostRate, aloneRate + addedRate * (together - 1));
  double fetch = fetchCycles / static_cast<double>(staging.stages - 1) * std::max(1.0, waves / resident);
  double step =
      std::max(waves * warps * instructions / rate, fetch) + (staging.copy == Copy::Async ? 0 : waitCycles / together);
  double cycles =
      startCycles + static_cast<double>(steps) * step + pointCycles * static_cast<double>(points) * waves * warps;
  if (staging.splits == 1)
    return cycles;
  int64_t all = Contraction::extentOf(nest, contraction.rows) * Contraction::extentOf(nest, contraction.columns) *
                Contraction::extentOf(nest, contraction.batch);
  double partBytes =
      static_cast<double>(2 * staging.splits * all * bytesOf(nest.nodes[nest.reductions[0].update].type));
  return cycles + launchCycles + partBytes / l2BytesPerCycle;
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
  // Four bytes of the depth are multiplied at once.
  for (auto [dim, size] : llvm::zip_equal(contraction.depth, depth))
    if (size % dotGroup == 0 && matchByteProducts(nest))
      chosen.loops.dotDim = dim;
  chosen.threads.stages = staging.stages;
  chosen.threads.copy = staging.copy;
  return chosen;
}

bool BlockTileChoice::fits(const ThreadSchedule &candidate) const {
  BlockTile tile = tileOf(nest, candidate.loops, candidate.threads);
  return sharedBytes(nest, candidate.threads, tile) <= std::min(gpu.sharedBytes, mostSharedBytes) &&
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
    // Twice as many as there are is for nobody.
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

std::optional<ThreadSchedule> chooseBlockTile(const LoopNest &nest, const GpuMachine &gpu) {
  std::optional<Contraction> contraction = findTiledContraction(nest);
  if (!contraction)
    return std::nullopt;
  std::optional<BlockTileOption> best = BlockTileChoice(nest, *contraction, gpu).choose(),
                                 tensor = chooseTensorTile(nest, gpu);
  if (tensor && (!best || tensor->cycles < best->cycles))
    best = std::move(tensor);
  return best ? std::optional(std::move(best->schedule)) : std::nullopt;
}

std::vector<BlockTileOption> blockTileOptions(const LoopNest &nest, const GpuMachine &gpu) {
  std::optional<Contraction> contraction = findTiledContraction(nest);
  if (!contraction)
    return {};
  std::vector<BlockTileOption> all = BlockTileChoice(nest, *contraction, gpu).options();
  llvm::append_range(all, tensorTileOptions(nest, gpu));
  return all;
}

} // namespace cameo::schedule
