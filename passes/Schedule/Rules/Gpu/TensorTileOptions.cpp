#include "passes/Schedule/Rules/Gpu/TensorTileOptions.h"

#include "passes/Schedule/Rules/DefaultSchedule.h"
#include "passes/Schedule/Rules/Gpu/PackConstants.h"
#include "passes/Schedule/Rules/Gpu/PointVectors.h"
#include "passes/Schedule/Rules/Gpu/TensorProduct.h"
#include "passes/Schedule/Rules/Gpu/TileSizes.h"
#include "passes/Schedule/Rules/Gpu/Window.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace cameo::schedule {
namespace {

/// Each copy of a thread needs registers for two addresses; those of the first few copies are part of the plain ones.
constexpr double copyRegisters = 4, fewCopies = 16;
constexpr int64_t mostSums = 128, mostWarps = 8, mostGroupWarps = 16;
/// Instructions, as ptxas emits them: the addresses of a copy in a step, all else in a step (the loop, the barrier, the
/// stages, and what ptxas puts before copies), the integers of these, each of the first copies, and the store of a sum.
constexpr double copyAddresses = 1.5, loopIssue = 20, loopIntegers = 8, beginCopyIssue = 3, storeIssue = 2;
/// Likewise for a product of four warps, with what describes its operands.
constexpr double groupIssue = 8;

/// Returns the points that a warp may have along a side of a block: a power of two of warps share it.
ArrayRef<int64_t> warpSidesOf(int64_t ofBlock) {
  static constexpr int64_t even[] = {16, 32, 64}, threefold[] = {48};
  return llvm::isPowerOf2_64(ofBlock) ? ArrayRef<int64_t>(even) : ArrayRef<int64_t>(threefold);
}

class TensorTileChoice {
public:
  TensorTileChoice(const LoopNest &nest, const Contraction &contraction, const TensorShape &instruction,
                   const GpuMachine &gpu)
      : nest(nest), contraction(contraction), instruction(instruction), gpu(gpu), canAddParts(canReduceTogether(nest)),
        inGroups(instruction.kind == TensorKind::Wgmma) {}

  /// Returns all tiles whose points are powers of two along each dimension, or those with other points along the rows
  /// or columns.
  std::vector<TensorTileOption> options(bool evenPoints);

private:
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
  SmallVector<int64_t> divideDepth(const BlockShape &shape) const;
  double loadsOf(NodeId load, int64_t points, int64_t steps, const BlockTile &tile) const;
  /// The copies of a thread in a step, and those whose addresses are no constants behind others.
  struct Copies {
    double all, addressed;
  };
  Copies copiesOf(const BlockShape &shape, const BlockTile &tile) const;
  int64_t copiedBytes(const BlockShape &shape, const BlockTile &tile) const;
  double copiedOfWarp(const BlockShape &shape, const BlockTile &tile) const;
  double registersOf(const BlockShape &shape) const;
  struct Behind {
    int64_t fetched, shared; // bytes beyond shared memory and from there
  };
  Behind behindSums(const BlockShape &shape, const GpuSchedule &threads, const BlockTile &tile) const;
  int64_t productsOfStep(const BlockShape &shape) const;
  double addressesOf(NodeId load, int64_t points, const BlockTile &tile) const;
  TensorWork::Code stepOf(const BlockShape &shape, const BlockTile &tile, bool copies) const;
  TensorWork::Code restOf(const BlockShape &shape, const BlockTile &tile, int64_t stepsAhead) const;
  TensorWork workOf(const BlockShape &shape, int64_t tiles, const GpuSchedule &threads, const BlockTile &tile) const;
  ThreadSchedule scheduleFor(const BlockShape &shape, ArrayRef<int64_t> rows, int64_t splits) const;

  const LoopNest &nest;
  const Contraction &contraction;
  const TensorShape &instruction;
  const GpuMachine &gpu;
  bool canAddParts;
  bool inGroups; ///< whether four warps multiply together
};

/// Returns sizes of a block with `points` points along `dims`, which are one dimension if that is no power of two.
SmallVector<int64_t> TensorTileChoice::sizesAlong(ArrayRef<unsigned> dims, int64_t points) const {
  return llvm::isPowerOf2_64(points) ? divideTile(nest, dims, points) : SmallVector<int64_t>(1, points);
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
  auto divide = [&](ArrayRef<unsigned> dims, ArrayRef<int64_t> blocks, int64_t ofWarp) {
    for (auto [dim, size] : llvm::zip_equal(llvm::reverse(dims), llvm::reverse(blocks))) {
      sizes[dim] = {size, std::min(size, ofWarp)};
      ofWarp /= sizes[dim].second;
    }
  };
  divide(contraction.rows, rows, shape.threadRows);
  divide(contraction.columns, columnSizes(shape), shape.threadColumns);
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
  for (unsigned dim = 0; dim < nest.dims.size(); ++dim)
    if (!nest.dims[dim].reduction && sizes[dim].second < sizes[dim].first)
      bind(dim, sizes[dim].second, Binding::Warp);
  for (NodeId load : {contraction.left, contraction.right})
    if (!llvm::is_contained(chosen.threads.cachedBuffers, nest.nodes[load].buffer))
      chosen.threads.cachedBuffers.push_back(nest.nodes[load].buffer);
  chosen.threads.tensor = instruction;
  if (inGroups)
    chosen.threads.tensor->columns = shape.columns;
  return chosen;
}

/// Returns the instructions in which a warp reads `steps` steps of `points` points of an operand.
double TensorTileChoice::loadsOf(NodeId load, int64_t points, int64_t steps, const BlockTile &tile) const {
  constexpr int64_t matricesOfLoad = 4, matrixBytes = 8 * 16;
  int64_t bytes = bytesOf(nest.nodes[load].type);
  auto loads = static_cast<double>(points * steps * bytes / (matricesOfLoad * matrixBytes));
  return readsMatrices(nest.nodes[load], sharedLayout(nest.nodes[load], nest, tile)) ? loads : matricesOfLoad * loads;
}

/// Copies at further taps of the right operand are constants behind those at the first one.
TensorTileChoice::Copies TensorTileChoice::copiesOf(const BlockShape &shape, const BlockTile &tile) const {
  auto of = [&](NodeId load, int64_t elements) {
    SmallVector<unsigned> dims = fetchedDims(nest.nodes[load], nest);
    return static_cast<double>(
        llvm::divideCeil(elements / fetchWidth(nest.nodes[load], nest, tile, dims), tile.threads));
  };
  int64_t steps = shape.depth / shape.taps;
  std::optional<Window> window = findWindow(nest, tile);
  double left = of(contraction.left, (window ? window->positions() : shape.rows) * steps);
  return {left + of(contraction.right, shape.columns * shape.depth),
          left + of(contraction.right, shape.columns * steps)};
}

/// Returns the bytes that a block copies in a step.
int64_t TensorTileChoice::copiedBytes(const BlockShape &shape, const BlockTile &tile) const {
  std::optional<Window> window = findWindow(nest, tile);
  int64_t left = window ? window->positions() * shape.depth / shape.taps : shape.rows * shape.depth;
  return (left + shape.columns * shape.depth) * bytesOf(nest.nodes[contraction.left].type);
}

/// Returns the bytes that a warp copies in a step.
double TensorTileChoice::copiedOfWarp(const BlockShape &shape, const BlockTile &tile) const {
  return static_cast<double>(copiedBytes(shape, tile)) / static_cast<double>(tile.threads / GpuMachine::warpThreads);
}

/// Returns the registers of a thread: its sums, the loaded operands of the next products, and the converted operands of
/// the current ones. Groups of warps load no operands.
double TensorTileChoice::registersOf(const BlockShape &shape) const {
  auto sums = static_cast<double>(shape.threadRows * shape.threadColumns / GpuMachine::warpThreads);
  if (inGroups)
    return plainRegisters + sums;
  int64_t bytes = bytesOf(nest.nodes[contraction.left].type),
          read = (shape.threadRows + shape.threadColumns) * instruction.depth * bytes /
                 (GpuMachine::warpThreads * registerBytes),
          multiplied = instruction.kind == TensorKind::Mma3xTf32 ? 2 * read : read;
  return plainRegisters + sums + static_cast<double>(read + multiplied);
}

/// Returns the instructions of the matrix unit in which a warp takes part in a step.
int64_t TensorTileChoice::productsOfStep(const BlockShape &shape) const {
  int64_t steps = shape.depth / instruction.depth * productsOf(instruction.kind);
  return inGroups ? steps : shape.threadRows / instruction.rows * (shape.threadColumns / instruction.columns) * steps;
}

/// Returns the addresses in shared memory from which a warp loads the operand and which differ by an exclusive or: each
/// adds the place of the stage.
double TensorTileChoice::addressesOf(NodeId load, int64_t points, const BlockTile &tile) const {
  SharedLayout layout = sharedLayout(nest.nodes[load], nest, tile);
  int64_t bytes = bytesOf(nest.nodes[load].type), along = points;
  if (layout.isDepthInner) {
    along = 1;
    for (unsigned dim : contraction.depth)
      along *= tile.dims[dim].block;
  }
  return static_cast<double>(std::min(along, layout.period) * bytes / mmaDepthBytes);
}

/// Returns the code of a warp in a step of the loop, which `copies` later steps or finds all of them copied.
TensorWork::Code TensorTileChoice::stepOf(const BlockShape &shape, const BlockTile &tile, bool copies) const {
  constexpr int64_t loadBytes = 4 * 8 * 16; // four matrices of 8 rows of 16 bytes
  int64_t bytes = bytesOf(nest.nodes[contraction.left].type), sides = shape.threadRows + shape.threadColumns;
  Copies started = copies ? copiesOf(shape, tile) : Copies{0, 0};
  auto products = static_cast<double>(productsOfStep(shape));
  double copied = copies ? copiedOfWarp(shape, tile) : 0;
  if (inGroups) {
    // A warp has a fourth of what the instruction reads: 64 rows and all columns of the block.
    auto read = static_cast<double>((wgmmaRows + shape.columns) * shape.depth * bytes / groupWarps);
    return {products * groupIssue + started.all + started.addressed * copyAddresses + loopIssue, products,
            products + started.addressed * copyAddresses + loopIntegers, read + copied};
  }
  double loads = loadsOf(contraction.left, shape.threadRows, shape.depth, tile) +
                 loadsOf(contraction.right, shape.threadColumns, shape.depth, tile),
         addresses = addressesOf(contraction.left, shape.threadRows, tile) +
                     addressesOf(contraction.right, shape.threadColumns, tile),
         conversions =
             issueOfConversion(instruction.kind) * static_cast<double>(sides * shape.depth / GpuMachine::warpThreads);
  return {products + loads + conversions + addresses + started.all + started.addressed * copyAddresses + loopIssue,
          products, addresses + started.addressed * copyAddresses + loopIntegers,
          static_cast<double>(sides * shape.depth * bytes / loadBytes * loadBytes) + copied};
}

/// Returns the code of a warp before and behind the loop: addresses, the copies of the first steps, and what is
/// computed from sums.
TensorWork::Code TensorTileChoice::restOf(const BlockShape &shape, const BlockTile &tile, int64_t stepsAhead) const {
  auto ahead = static_cast<double>(stepsAhead);
  double instructions = beginIssue + beginCopyIssue * ahead * copiesOf(shape, tile).all +
                        static_cast<double>(tile.points) *
                            (storeIssue + static_cast<double>(nest.computed(/*insideReduction=*/false).size()));
  return {instructions, 0, instructions / 2, ahead * copiedOfWarp(shape, tile)};
}

/// Returns the bytes that the threads of a block load behind the sums. A thread has every eighth row of its warp and
/// every fourth column, and each loads what it needs, also where others of its warp load the same. Where a block has a
/// vector of it in shared memory, each thread is counted with one copy.
TensorTileChoice::Behind TensorTileChoice::behindSums(const BlockShape &shape, const GpuSchedule &threads,
                                                      const BlockTile &tile) const {
  constexpr int64_t rowsApart = 8, columnsApart = 4;
  Behind bytes = {0, 0};
  SmallVector<PointVector> vectors = pointVectors(nest, threads, tile);
  for (NodeId id : nest.loads(/*insideReduction=*/false)) {
    const Node &node = nest.nodes[id];
    auto isAlong = [&](ArrayRef<unsigned> dims) {
      return llvm::any_of(dims, [&](unsigned dim) { return node.dependsOn >> dim & 1; });
    };
    int64_t loaded = tile.threads * bytesOf(node.type) *
                     (isAlong(contraction.rows) ? shape.threadRows / rowsApart : 1) *
                     (isAlong(contraction.columns) ? shape.threadColumns / columnsApart : 1);
    auto vector = llvm::find_if(vectors, [&](const PointVector &each) { return each.load == id; });
    if (vector == vectors.end()) {
      bytes.fetched += loaded;
      continue;
    }
    bytes.fetched += tile.threads * vector->width * bytesOf(node.type);
    bytes.shared += loaded;
  }
  return bytes;
}

/// Returns the work of the kernel; `tiles` is the number of blocks with different points.
TensorWork TensorTileChoice::workOf(const BlockShape &shape, int64_t tiles, const GpuSchedule &threads,
                                    const BlockTile &tile) const {
  auto asDouble = [](int64_t number) { return static_cast<double>(number); };
  int64_t steps = 1, points = shape.rows * shape.columns;
  for (unsigned dim : contraction.depth)
    steps *= tile.dims[dim].fetches();
  int64_t bytes = bytesOf(nest.nodes[contraction.left].type),
          sumBytes = bytesOf(nest.nodes[nest.reductions[0].update].type), stage = copiedBytes(shape, tile),
          left = sharedLayout(nest.nodes[contraction.left], nest, tile).elements;
  int64_t stagesRead = inGroups ? wgmmaStagesRead : 1;
  TensorWork work;
  work.blocks = asDouble(tiles * tile.splits);
  work.registers = registersOf(shape);
  work.leftBytes = asDouble(left * bytes * threads.stages);
  work.rightBytes = asDouble(shape.columns * shape.depth * bytes * threads.stages);
  work.warps = asDouble(tile.threads / GpuMachine::warpThreads);
  work.steps = asDouble(steps);
  work.ahead = threads.stages - stagesRead;
  work.step = stepOf(shape, tile, /*copies=*/work.steps > work.ahead);
  work.rest = restOf(shape, tile, std::min<int64_t>(threads.stages - stagesRead, steps));
  Behind behind = behindSums(shape, threads, tile);
  work.rest.sharedBytes += asDouble(behind.shared) / work.warps;
  work.vectorBytes = asDouble(bytesOfVectors(nest, threads, tile));
  work.unitCycles = asDouble(points * shape.depth * steps) / productsPerCycle(gpu, instruction);
  work.isSplit = tile.splits > 1;
  // Each block of a divided sum writes a part, and one of them reads all.
  work.cachedBytes = asDouble(stage * steps + behind.fetched + points * (work.isSplit ? 2 * sumBytes : bytes));
  work.partsBytes = asDouble(tile.splits * points * sumBytes);
  return work;
}

std::optional<TensorTileOption> TensorTileChoice::makeOption(const BlockShape &shape, ArrayRef<int64_t> rows,
                                                             unsigned stages, int64_t splits) const {
  constexpr int64_t blocksAtOnce = 4;
  int64_t tiles = blocksAlong(nest, contraction.rows, rows) *
                  blocksAlong(nest, contraction.columns, columnSizes(shape)) *
                  Contraction::extentOf(nest, contraction.batch);
  // Blocks beyond those that run at once gain nothing.
  if (splits > 1 && (!canAddParts || tiles * splits > blocksAtOnce * gpu.processors ||
                     !findSplit(nest, contraction.depth, divideDepth(shape), splits)))
    return std::nullopt;
  ThreadSchedule schedule = scheduleFor(shape, rows, splits);
  BlockTile tile = tileOf(nest, schedule.loops, schedule.threads);
  std::optional<Window> window = findWindow(nest, tile);
  // Tiles without taps may happen to fetch all steps along some.
  if (window ? tile.dims[window->depth].block % instruction.depth != 0 : shape.taps > 1)
    return std::nullopt;
  if (registersOf(shape) + copyRegisters * std::max(0.0, copiesOf(shape, tile).addressed - fewCopies) > mostRegisters)
    return std::nullopt;
  schedule.threads.stages = stages;
  if (inGroups && stages <= wgmmaStagesRead)
    return std::nullopt;
  if (canCopyAsync(nest, schedule.threads, tile))
    schedule.threads.copy = Copy::Async;
  else if (stages > maxVectorStages || window || inGroups)
    return std::nullopt;
  if (sharedBytes(nest, schedule.threads, tile) > gpu.blockSharedBytes)
    return std::nullopt;
  TensorWork work = workOf(shape, tiles, schedule.threads, tile);
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
  // All products of a step are unrolled. With twice as many ptxas spills registers, and copies others.
  constexpr int64_t depthTimes[] = {1, 2}, mostProducts = 320;
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
    return window->positions() * blocksAlong(nest, contraction.rows, rows);
  };
  for (int64_t times : depthTimes) {
    shape.depth = shape.taps * times * instruction.depth;
    if (productsOfStep(shape) > mostProducts || shape.depth > mostWindowSteps ||
        times * instruction.depth > int64_t(nest.dims[depth].extent))
      return;
    SmallVector<int64_t> even = divideTile(nest, contraction.rows, shape.rows),
                         close = divideTile(nest, contraction.rows, shape.rows, positionsOf);
    if (positionsOf(even))
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

std::vector<TensorTileOption> TensorTileChoice::options(bool evenPoints) {
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

} // namespace

std::vector<TensorTileOption> tensorTilesOf(const TaskProgram &program, const LoopNest &nest, const GpuMachine &gpu) {
  std::optional<TensorProduct> product = findTensorProduct(nest, gpu);
  if (!product || !findTiledContraction(nest))
    return {};
  std::vector<TensorTileOption> all;
  for (bool evenPoints : {true, false}) {
    LoopNest packed = packLoads(program, nest, packedOrderFor(nest, product->contraction, evenPoints));
    if (!canReadOperands(packed, *product))
      continue;
    llvm::append_range(all, TensorTileChoice(packed, product->contraction, product->shape, gpu).options(evenPoints));
    if (std::optional<TensorShape> groups = groupShapeOf(*product, gpu); groups && evenPoints)
      llvm::append_range(all, TensorTileChoice(packed, product->contraction, *groups, gpu).options(evenPoints));
  }
  return all;
}

} // namespace cameo::schedule
