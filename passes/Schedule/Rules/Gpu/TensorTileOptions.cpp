#include "passes/Schedule/Rules/Gpu/TensorTileOptions.h"

#include "passes/Schedule/Rules/DefaultSchedule.h"
#include "passes/Schedule/Rules/Gpu/Chain.h"
#include "passes/Schedule/Rules/Gpu/PackConstants.h"
#include "passes/Schedule/Rules/Gpu/PooledTile.h"
#include "passes/Schedule/Rules/Gpu/TensorProduct.h"
#include "passes/Schedule/Rules/Gpu/TensorTileWork.h"
#include "passes/Schedule/Rules/Gpu/TileSizes.h"
#include "passes/Schedule/Rules/Gpu/Window.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace cameo::schedule {
namespace {

/// Each copy of a thread needs registers for two addresses; those of the first few copies are part of the plain ones.
constexpr double copyRegisters = 4, fewCopies = 16;
constexpr int64_t mostSums = 128, mostWarps = 8, mostGroupWarps = 16;
/// All products of a step of a window are unrolled. With twice as many ptxas spills registers, and copies others.
constexpr int64_t mostWindowProducts = 320;

/// Returns the points that a warp may have along a side of a block: a power of two of warps share it.
ArrayRef<int64_t> warpSidesOf(int64_t ofBlock) {
  static constexpr int64_t even[] = {16, 32, 64}, threefold[] = {48};
  return llvm::isPowerOf2_64(ofBlock) ? ArrayRef<int64_t>(even) : ArrayRef<int64_t>(threefold);
}

class TensorTileChoice {
public:
  TensorTileChoice(const LoopNest &nest, const Contraction &contraction, const TensorShape &instruction,
                   const GpuMachine &gpu, bool chained, const Pool *pool)
      : nest(nest), contraction(contraction), instruction(instruction), gpu(gpu), pool(pool),
        model(nest, contraction, instruction, gpu, /*keepsLeft=*/chained), canAddParts(canReduceTogether(nest)),
        inGroups(instruction.kind == TensorKind::Wgmma) {}

  /// Returns all tiles whose points are powers of two along each dimension, or those with other points along the rows
  /// or columns.
  std::vector<TensorTileOption> options(bool evenPoints) const;
  /// Returns the tiles of a chained product (Chain.h) for blocks of `threads` threads with `rows` points along each
  /// dimension of the rows.
  std::vector<TensorTileOption> chainedOptions(ArrayRef<int64_t> rows, int64_t threads) const;

private:
  std::optional<TensorTileOption> makeChained(const BlockShape &shape, ArrayRef<int64_t> rows, int64_t threads) const;
  void addWarps(int64_t blockRows, int64_t blockColumns, std::vector<TensorTileOption> &all) const;
  void addGroups(int64_t blockRows, int64_t blockColumns, std::vector<TensorTileOption> &all) const;
  void addTiles(const BlockShape &shape, ArrayRef<int64_t> rows, std::vector<TensorTileOption> &all) const;
  void addWindows(BlockShape shape, std::vector<TensorTileOption> &all) const;
  std::optional<TensorTileOption> makeOption(const BlockShape &shape, ArrayRef<int64_t> rows, unsigned stages,
                                             int64_t splits) const;
  std::optional<TensorTileOption> inCluster(TensorTileOption option) const;
  SmallVector<int64_t> columnSizes(const BlockShape &shape) const {
    return sizesAlong(contraction.columns, shape.columns);
  }
  SmallVector<int64_t> sizesAlong(ArrayRef<unsigned> dims, int64_t points) const;
  std::optional<int64_t> blocksOf(ArrayRef<unsigned> dims, ArrayRef<int64_t> sizes) const;
  std::optional<int64_t> pooledPoints(ArrayRef<unsigned> dims, ArrayRef<int64_t> sizes) const;
  SmallVector<int64_t> divideDepth(const BlockShape &shape) const;
  ThreadSchedule scheduleFor(const BlockShape &shape, ArrayRef<int64_t> rows, int64_t splits) const;

  const LoopNest &nest;
  const Contraction &contraction;
  const TensorShape &instruction;
  const GpuMachine &gpu;
  const Pool *pool; ///< that blocks compute, too; null: none
  TensorTileWork model;
  bool canAddParts;
  bool inGroups; ///< whether four warps multiply together
};

/// Returns sizes of a block with `points` points along `dims`, which are one dimension if that is no power of two.
SmallVector<int64_t> TensorTileChoice::sizesAlong(ArrayRef<unsigned> dims, int64_t points) const {
  if (!llvm::isPowerOf2_64(points))
    return SmallVector<int64_t>(1, points);
  return pool ? divideTile(nest, dims, points, [&](ArrayRef<int64_t> sizes) { return pooledPoints(dims, sizes); })
              : divideTile(nest, dims, points);
}

/// Returns the blocks along `dims`; nothing if a block has no whole window.
std::optional<int64_t> TensorTileChoice::blocksOf(ArrayRef<unsigned> dims, ArrayRef<int64_t> sizes) const {
  if (!pool)
    return blocksAlong(nest, dims, sizes);
  int64_t blocks = 1;
  for (auto [dim, size] : llvm::zip_equal(dims, sizes)) {
    const PoolWindow &window = pool->windows[dim];
    if (size < window.size)
      return std::nullopt;
    blocks *= TiledDimension{nest.dims[dim].extent, size, size, size, 1, window}.blocks();
  }
  return blocks;
}

/// Returns the points that these blocks compute along `dims`, also those of several blocks.
std::optional<int64_t> TensorTileChoice::pooledPoints(ArrayRef<unsigned> dims, ArrayRef<int64_t> sizes) const {
  std::optional<int64_t> blocks = blocksOf(dims, sizes);
  return blocks ? std::optional(*blocks * llvm::product_of(sizes)) : std::nullopt;
}

/// Divides the steps among the dimensions of the depth: returns powers of two whose product they are, filling the
/// dimensions with the smallest strides in the left operand first. Steps beyond the end of a dimension multiply zeros.
/// A window has all steps along all dimensions but the first.
SmallVector<int64_t> TensorTileChoice::divideDepth(const BlockShape &shape) const {
  SmallVector<int64_t> sizes(contraction.depth.size(), 1);
  SmallVector<size_t> order = depthOrder(nest, contraction);
  int64_t steps = shape.depth;
  if (shape.taps > 1) {
    for (auto [size, dim] : llvm::zip_equal(sizes, contraction.depth))
      size = nest.dims[dim].extent;
    sizes[order.front()] = steps / shape.taps;
    return sizes;
  }
  for (size_t number : order) {
    sizes[number] = std::min<int64_t>(
        steps, llvm::PowerOf2Ceil(static_cast<uint64_t>(int64_t(nest.dims[contraction.depth[number]].extent))));
    steps /= sizes[number];
  }
  // The remaining steps are beyond the end of the first dimension.
  sizes[order.front()] *= steps;
  return sizes;
}

ThreadSchedule TensorTileChoice::scheduleFor(const BlockShape &shape, ArrayRef<int64_t> rows, int64_t splits) const {
  SmallVector<std::pair<int64_t, int64_t>> sizes(nest.dims.size(), {1, 1}); // points of a block and of a warp
  auto divide = [&](ArrayRef<unsigned> dims, ArrayRef<int64_t> blocks, int64_t ofWarp, int64_t side) {
    for (auto [dim, size] : llvm::zip_equal(llvm::reverse(dims), llvm::reverse(blocks))) {
      sizes[dim] = {size, std::min({size, ofWarp, side})};
      ofWarp /= sizes[dim].second;
    }
  };
  // Four warps have 8 x 8 points of a window, those of a warp beneath each other; the next ones are beside them.
  constexpr int64_t groupSide = 8;
  size_t count = rows.size();
  bool inSquares =
      inGroups && shape.taps > 1 && count > 1 && rows[count - 1] > groupSide && rows[count - 2] >= groupSide;
  divide(contraction.rows, rows, shape.threadRows, inSquares ? groupSide : shape.rows);
  divide(contraction.columns, columnSizes(shape), shape.threadColumns, shape.columns);
  ThreadSchedule chosen;
  auto bind = [&](unsigned dim, int64_t size, Binding to) {
    chosen.threads.bound.push_back({static_cast<unsigned>(chosen.loops.loops.size()), to});
    chosen.loops.loops.push_back({dim, size});
  };
  for (unsigned dim = 0; dim < nest.dims.size(); ++dim)
    if (!nest.dims[dim].reduction)
      bind(dim, sizes[dim].first, Binding::Block);
  SmallVector<int64_t> depth = divideDepth(shape);
  if (splits > 1) {
    unsigned split = *findSplit(nest, contraction.depth, depth, splits);
    bind(split, int64_t(nest.dims[split].extent) / splits, Binding::Block);
  }
  for (auto [dim, size] : llvm::zip_equal(contraction.depth, depth))
    chosen.loops.loops.push_back({dim, size});
  SmallVector<unsigned> divided;
  for (unsigned dim = 0; dim < nest.dims.size(); ++dim)
    if (!nest.dims[dim].reduction && sizes[dim].second < sizes[dim].first)
      divided.push_back(dim);
  if (inSquares) {
    auto *beside = llvm::find(divided, contraction.rows.back());
    std::rotate(divided.begin(), beside, beside + 1);
  }
  for (unsigned dim : divided)
    bind(dim, sizes[dim].second, Binding::Warp);
  for (NodeId load : {contraction.left, contraction.right})
    if (!llvm::is_contained(chosen.threads.cachedBuffers, nest.nodes[load].buffer))
      chosen.threads.cachedBuffers.push_back(nest.nodes[load].buffer);
  if (pool)
    chosen.threads.pool = pool->windows;
  chosen.threads.tensor = instruction;
  if (inGroups)
    chosen.threads.tensor->columns = shape.columns;
  return chosen;
}

std::optional<TensorTileOption> TensorTileChoice::makeOption(const BlockShape &shape, ArrayRef<int64_t> rows,
                                                             unsigned stages, int64_t splits) const {
  constexpr int64_t blocksAtOnce = 4;
  // Blocks beyond those that run at once gain nothing.
  auto tiles = [&] {
    return blocksAlong(nest, contraction.rows, rows) * blocksAlong(nest, contraction.columns, columnSizes(shape)) *
           Contraction::extentOf(nest, contraction.batch);
  };
  if (splits > 1 && (pool || !canAddParts || tiles() * splits > blocksAtOnce * gpu.processors ||
                     !findSplit(nest, contraction.depth, divideDepth(shape), splits)))
    return std::nullopt;
  ThreadSchedule schedule = scheduleFor(shape, rows, splits);
  BlockTile tile = tileOf(nest, schedule.loops, schedule.threads);
  std::optional<Window> window = findWindow(nest, tile);
  // Tiles without taps may happen to fetch all steps along some.
  if (window ? tile.dims[window->depth].block % instruction.depth != 0 : shape.taps > 1)
    return std::nullopt;
  if (model.registersOf(shape) + copyRegisters * std::max(0.0, model.copiesOf(shape, tile).addressed - fewCopies) >
      mostRegisters)
    return std::nullopt;
  schedule.threads.stages = stages;
  if (inGroups && stages <= wgmmaStagesRead)
    return std::nullopt;
  if (canCopyAsync(nest, schedule.threads, tile))
    schedule.threads.copy = Copy::Async;
  else if (stages > maxVectorStages || window || inGroups)
    return std::nullopt;
  if (sharedBytes(nest, schedule.threads, tile) > gpu.blockSharedBytes ||
      (pool && !findPoolFault(nest, schedule.loops, schedule.threads).empty()))
    return std::nullopt;
  TensorWork work = model.workOf(shape, schedule.threads, tile);
  if (work.registers * static_cast<double>(tile.threads) > static_cast<double>(gpu.registers))
    return std::nullopt;
  return TensorTileOption{{shape, splits, std::move(schedule), cyclesOf(work, gpu)}, work, tile.points};
}

/// Returns a tile whose sum blocks divide, as one where these are a cluster: each reads the sums of some points from
/// the others, and stores their results.
std::optional<TensorTileOption> TensorTileChoice::inCluster(TensorTileOption option) const {
  auto &[tile, work, sums] = option;
  constexpr double sumBytes = 4;
  auto points = static_cast<double>(tile.shape.rows * tile.shape.columns),
       bytes = static_cast<double>(bytesOf(nest.nodes[contraction.left].type)),
       share = points / static_cast<double>(tile.splits);
  if (tile.splits == 1 || tile.splits > gpu.mostClusterBlocks() ||
      points * sumBytes > std::max(work.leftBytes, work.rightBytes))
    return std::nullopt;
  for (BoundLoop &each : tile.schedule.threads.bound)
    if (nest.dims[tile.schedule.loops.loops[each.loop].dim].reduction)
      each.to = Binding::Cluster;
  work.cluster = tile.splits;
  work.cachedBytes += share * bytes - 2 * points * sumBytes;
  work.partsBytes = (points - share) * sumBytes;
  tile.cycles = cyclesOf(work, gpu);
  return option;
}

void TensorTileChoice::addTiles(const BlockShape &shape, ArrayRef<int64_t> rows,
                                std::vector<TensorTileOption> &all) const {
  for (unsigned stages = 2; stages <= maxStages; ++stages)
    for (int64_t splits : {1, 2, 3, 4, 6, 8, 12, 16})
      if (std::optional<TensorTileOption> option = makeOption(shape, rows, stages, splits)) {
        all.push_back(std::move(*option));
        if (std::optional<TensorTileOption> cluster = inCluster(all.back()))
          all.push_back(std::move(*cluster));
      }
}

/// Adds tiles whose left operand has a window, if all dimensions of the depth but the first are taps: with the fewest
/// points beyond the edges, and with the fewest positions in all windows.
void TensorTileChoice::addWindows(BlockShape shape, std::vector<TensorTileOption> &all) const {
  constexpr int64_t depthTimes[] = {1, 2};
  unsigned depth = contraction.depth[depthOrder(nest, contraction).front()];
  shape.taps = Contraction::extentOf(nest, contraction.depth) / int64_t(nest.dims[depth].extent);
  // With parts of numbers ptxas spills registers.
  if (shape.taps == 1 || instruction.kind == TensorKind::Mma3xTf32)
    return;
  auto positionsOf = [&](ArrayRef<int64_t> rows) -> std::optional<int64_t> {
    ThreadSchedule schedule = scheduleFor(shape, rows, /*splits=*/1);
    std::optional<Window> window = findWindow(nest, tileOf(nest, schedule.loops, schedule.threads));
    if (!window)
      return std::nullopt;
    std::optional<int64_t> blocks = blocksOf(contraction.rows, rows);
    return blocks ? std::optional(window->positions() * *blocks) : std::nullopt;
  };
  for (int64_t times : depthTimes) {
    shape.depth = shape.taps * times * instruction.depth;
    if (model.productsOfStep(shape) > mostWindowProducts || shape.depth > mostWindowSteps ||
        times * instruction.depth > int64_t(nest.dims[depth].extent))
      return;
    SmallVector<int64_t> even = sizesAlong(contraction.rows, shape.rows),
                         close = divideTile(nest, contraction.rows, shape.rows, positionsOf);
    if (!even.empty() && positionsOf(even))
      addTiles(shape, even, all);
    if (!close.empty() && close != even)
      addTiles(shape, close, all);
  }
}

/// Adds the tiles of blocks with these points, also those with a window where these are powers of two.
void TensorTileChoice::addWarps(int64_t blockRows, int64_t blockColumns, std::vector<TensorTileOption> &all) const {
  constexpr int64_t depthTimes[] = {1, 2, 4, 8};
  // ptxas moves the splitting of the numbers of all steps of a fetch ahead of the products; with four steps it spills
  // registers. Warps with few points have mostly addresses and loads in long steps.
  auto mostDepth = [&](int64_t pointsOfWarp) {
    constexpr int64_t manyPoints = 32 * 32, plainSteps = 64;
    return instruction.kind == TensorKind::Mma3xTf32 ? 2 * instruction.depth
           : pointsOfWarp < manyPoints               ? plainSteps
                                                     : mostTensorSteps;
  };
  bool evenPoints = llvm::isPowerOf2_64(blockRows) && llvm::isPowerOf2_64(blockColumns);
  int64_t steps = Contraction::extentOf(nest, contraction.depth);
  SmallVector<int64_t> rowSizes = sizesAlong(contraction.rows, blockRows);
  for (int64_t warpRows : warpSidesOf(blockRows))
    for (int64_t warpColumns : warpSidesOf(blockColumns)) {
      if (warpRows > blockRows || warpColumns > blockColumns ||
          warpRows * warpColumns / GpuMachine::warpThreads > mostSums ||
          blockRows / warpRows * (blockColumns / warpColumns) > mostWarps)
        continue;
      for (int64_t times : depthTimes)
        if (int64_t depth = times * instruction.depth;
            times == 1 || depth < std::min(2 * steps, mostDepth(warpRows * warpColumns) + 1))
          addTiles({blockRows, blockColumns, warpRows, warpColumns, depth}, rowSizes, all);
      if (evenPoints)
        addWindows({blockRows, blockColumns, warpRows, warpColumns, instruction.depth}, all);
    }
}

/// Adds the tiles of blocks with these points, of which groups of four warps have 64 rows and all columns.
void TensorTileChoice::addGroups(int64_t blockRows, int64_t blockColumns, std::vector<TensorTileOption> &all) const {
  constexpr int64_t depthTimes[] = {1, 2, 4, 8}, warpRows = wgmmaRows / groupWarps;
  if (blockRows % wgmmaRows != 0 || blockRows / warpRows > mostGroupWarps || blockColumns > mostWgmmaColumns)
    return;
  int64_t steps = Contraction::extentOf(nest, contraction.depth);
  for (int64_t times : depthTimes)
    if (int64_t depth = times * instruction.depth; times == 1 || depth < std::min(2 * steps, mostTensorSteps + 1))
      addTiles({blockRows, blockColumns, warpRows, blockColumns, depth}, sizesAlong(contraction.rows, blockRows), all);
  addWindows({blockRows, blockColumns, warpRows, blockColumns, instruction.depth}, all);
}

std::vector<TensorTileOption> TensorTileChoice::options(bool evenPoints) const {
  constexpr int64_t sides[] = {16, 32, 48, 64, 96, 128, 192, 256};
  // Blocks beyond an edge have a branch for each store, which costs more than other sizes gain.
  auto sidesOf = [&](ArrayRef<unsigned> dims, NodeId operand) {
    bool canBeUneven = !evenPoints && canHaveUnevenPoints(nest, dims, operand);
    return llvm::make_filter_range(ArrayRef(sides), [=, this](int64_t side) {
      return llvm::isPowerOf2_64(side) || (canBeUneven && int64_t(nest.dims[dims.front()].extent) % side == 0);
    });
  };
  int64_t rows = Contraction::extentOf(nest, contraction.rows),
          columns = Contraction::extentOf(nest, contraction.columns);
  std::vector<TensorTileOption> all;
  for (int64_t blockRows : sidesOf(contraction.rows, contraction.left))
    for (int64_t blockColumns : sidesOf(contraction.columns, contraction.right)) {
      // A block of twice the existing points would waste half of its work.
      if ((blockRows > instruction.rows && blockRows >= 2 * rows) ||
          (blockColumns > 2 * instruction.columns && blockColumns >= 2 * columns))
        continue;
      if (evenPoints != (llvm::isPowerOf2_64(blockRows) && llvm::isPowerOf2_64(blockColumns)))
        continue;
      if (inGroups)
        addGroups(blockRows, blockColumns, all);
      else
        addWarps(blockRows, blockColumns, all);
    }
  return all;
}

std::optional<TensorTileOption> TensorTileChoice::makeChained(const BlockShape &shape, ArrayRef<int64_t> rows,
                                                              int64_t threads) const {
  ThreadSchedule schedule = scheduleFor(shape, rows, /*splits=*/1);
  schedule.threads.stages = 1;
  schedule.threads.copy = Copy::Async;
  schedule.threads.chained = true;
  BlockTile tile = tileOf(nest, schedule.loops, schedule.threads);
  // All products are unrolled, as those of a window are.
  if (tile.threads != threads || model.productsOfStep(shape) > mostWindowProducts ||
      model.registersOf(shape) > mostRegisters ||
      model.registersOf(shape) * static_cast<double>(threads) > static_cast<double>(gpu.registers) ||
      !canCopyAsync(nest, schedule.threads, tile))
    return std::nullopt;
  TensorWork work = model.workOf(shape, schedule.threads, tile);
  return TensorTileOption{{shape, 1, std::move(schedule), cyclesOf(work, gpu)}, work, tile.points};
}

std::vector<TensorTileOption> TensorTileChoice::chainedOptions(ArrayRef<int64_t> rows, int64_t threads) const {
  int64_t blockRows = 1, depth = Contraction::extentOf(nest, contraction.depth),
          columns = Contraction::extentOf(nest, contraction.columns);
  for (int64_t size : rows)
    blockRows *= size;
  std::vector<TensorTileOption> all;
  auto add = [&](const BlockShape &shape) {
    if (std::optional<TensorTileOption> option = makeChained(shape, rows, threads))
      all.push_back(std::move(*option));
  };
  for (int64_t blockColumns : {16, 32, 64, 128, 256}) {
    if (columns % blockColumns != 0 || columns / blockColumns > mostChainParts)
      continue;
    if (inGroups && blockRows % wgmmaRows == 0)
      add({blockRows, blockColumns, wgmmaRows / groupWarps, blockColumns, depth});
    for (int64_t warpRows : warpSidesOf(blockRows))
      for (int64_t warpColumns : warpSidesOf(blockColumns))
        if (!inGroups && warpRows <= blockRows && warpColumns <= blockColumns &&
            warpRows * warpColumns / GpuMachine::warpThreads <= mostSums)
          add({blockRows, blockColumns, warpRows, warpColumns, depth});
  }
  return all;
}

/// Calls `visit` with the choice of tiles by each instruction that can multiply `nest`: of those whose points are
/// powers of two, or of the others.
void forEachChoice(const TaskProgram &program, const LoopNest &nest, const GpuMachine &gpu, bool evenPoints,
                   bool chained, const Pool *pool, function_ref<void(const TensorTileChoice &)> visit) {
  std::optional<TensorProduct> product = findTensorProduct(nest, gpu);
  if (!product || !findTiledContraction(nest))
    return;
  LoopNest packed = packLoads(program, nest, packedOrderFor(nest, product->contraction, evenPoints));
  if (!canReadOperands(packed, *product))
    return;
  visit(TensorTileChoice(packed, product->contraction, product->shape, gpu, chained, pool));
  if (std::optional<TensorShape> groups = groupShapeOf(*product, gpu); groups && evenPoints)
    visit(TensorTileChoice(packed, product->contraction, *groups, gpu, chained, pool));
}

} // namespace

std::vector<TensorTileOption> tensorTilesOf(const TaskProgram &program, const LoopNest &nest, const GpuMachine &gpu,
                                            const Pool *pool) {
  std::vector<TensorTileOption> all;
  for (bool evenPoints : {true, false})
    forEachChoice(program, nest, gpu, evenPoints, /*chained=*/false, pool,
                  [&](const TensorTileChoice &choice) { llvm::append_range(all, choice.options(evenPoints)); });
  return all;
}

std::vector<TensorTileOption> chainedTilesOf(const TaskProgram &program, const LoopNest &nest, ArrayRef<int64_t> rows,
                                             int64_t threads, const GpuMachine &gpu) {
  std::vector<TensorTileOption> all;
  forEachChoice(program, nest, gpu, /*evenPoints=*/true, /*chained=*/true, /*pool=*/nullptr,
                [&](const TensorTileChoice &choice) { llvm::append_range(all, choice.chainedOptions(rows, threads)); });
  return all;
}

} // namespace cameo::schedule
