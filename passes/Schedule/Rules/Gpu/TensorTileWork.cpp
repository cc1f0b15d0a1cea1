#include "passes/Schedule/Rules/Gpu/TensorTileWork.h"

#include "passes/Schedule/Rules/DefaultSchedule.h"
#include "passes/Schedule/Rules/Gpu/PointVectors.h"
#include "passes/Schedule/Rules/Gpu/PooledTile.h"
#include "passes/Schedule/Rules/Gpu/TensorProduct.h"
#include "passes/Schedule/Rules/Gpu/Window.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace cameo::schedule {

/// Instructions, as ptxas emits them: the addresses of a copy in a step, all else in a step (the loop, the barrier, the
/// stages, and what ptxas puts before copies), the integers of these, each of the first copies, and the store of a sum.
static constexpr double copyAddresses = 1.5, loopIssue = 20, loopIntegers = 8, beginCopyIssue = 3, storeIssue = 2;
/// Likewise for a product of four warps, with what describes its operands.
static constexpr double groupIssue = 8;

/// Returns the instructions in which a warp reads `steps` steps of `points` points of an operand.
double TensorTileWork::loadsOf(NodeId load, int64_t points, int64_t steps, const BlockTile &tile) const {
  constexpr int64_t matricesOfLoad = 4, matrixBytes = 8 * 16;
  int64_t bytes = bytesOf(nest.nodes[load].type);
  auto loads = static_cast<double>(points * steps * bytes / (matricesOfLoad * matrixBytes));
  return readsMatrices(nest.nodes[load], sharedLayout(nest.nodes[load], nest, tile)) ? loads : matricesOfLoad * loads;
}

/// Copies at further taps of the right operand are constants behind those at the first one.
TensorTileWork::Copies TensorTileWork::copiesOf(const BlockShape &shape, const BlockTile &tile) const {
  auto of = [&](NodeId load, int64_t elements) {
    SmallVector<unsigned> dims = fetchedDims(nest.nodes[load], nest);
    return static_cast<double>(
        llvm::divideCeil(elements / fetchWidth(nest.nodes[load], nest, tile, dims), tile.threads));
  };
  int64_t steps = shape.depth / shape.taps;
  std::optional<Window> window = findWindow(nest, tile);
  double left = keepsLeft ? 0 : of(contraction.left, (window ? window->positions() : shape.rows) * steps);
  return {left + of(contraction.right, shape.columns * shape.depth),
          left + of(contraction.right, shape.columns * steps)};
}

/// Returns the bytes that a block copies in a step.
int64_t TensorTileWork::copiedBytes(const BlockShape &shape, const BlockTile &tile) const {
  std::optional<Window> window = findWindow(nest, tile);
  int64_t left = keepsLeft ? 0 : window ? window->positions() * shape.depth / shape.taps : shape.rows * shape.depth;
  return (left + shape.columns * shape.depth) * bytesOf(nest.nodes[contraction.left].type);
}

/// Returns the bytes that a warp copies in a step.
double TensorTileWork::copiedOfWarp(const BlockShape &shape, const BlockTile &tile) const {
  return static_cast<double>(copiedBytes(shape, tile)) / static_cast<double>(tile.threads / GpuMachine::warpThreads);
}

/// Returns the registers of a thread: its sums, the loaded operands of the next products, and the converted operands of
/// the current ones. Groups of warps load no operands.
double TensorTileWork::registersOf(const BlockShape &shape) const {
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
int64_t TensorTileWork::productsOfStep(const BlockShape &shape) const {
  int64_t steps = shape.depth / instruction.depth * productsOf(instruction.kind);
  return inGroups ? steps : shape.threadRows / instruction.rows * (shape.threadColumns / instruction.columns) * steps;
}

/// Returns the addresses in shared memory from which a warp loads the operand and which differ by an exclusive or: each
/// adds the place of the stage.
double TensorTileWork::addressesOf(NodeId load, int64_t points, const BlockTile &tile) const {
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
TensorWork::Code TensorTileWork::stepOf(const BlockShape &shape, const BlockTile &tile, bool copies) const {
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
TensorWork::Code TensorTileWork::restOf(const BlockShape &shape, const BlockTile &tile, int64_t stepsAhead) const {
  auto ahead = static_cast<double>(stepsAhead);
  double instructions = beginIssue + beginCopyIssue * ahead * copiesOf(shape, tile).all +
                        static_cast<double>(tile.points) *
                            (storeIssue + static_cast<double>(nest.computed(/*insideReduction=*/false).size()));
  return {instructions, 0, instructions / 2, ahead * copiedOfWarp(shape, tile)};
}

/// Returns the bytes that the threads of a block load behind the sums. A thread has every eighth row of its warp and
/// every fourth column, and each loads what it needs, also where others of its warp load the same. Where a block has a
/// vector of it in shared memory, it is copied once.
TensorTileWork::Behind TensorTileWork::behindSums(const BlockShape &shape, const GpuSchedule &threads,
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
    bytes.fetched += tile.dims[vector->dim].block * bytesOf(node.type);
    bytes.shared += loaded;
  }
  return bytes;
}

/// Adds what pooling does: results go to shared memory, and each window reads its points there.
void TensorTileWork::addPool(const BlockTile &tile, TensorWork &work) const {
  // Of a thread: addresses and edges of its windows, and of a step the load, its address, and half of the results.
  constexpr double windowIssue = 40, stepIssue = 2, resultsAtOnce = 2;
  double windows = 1, steps = 1, points = 1;
  for (const TiledDimension &dim : tile.dims)
    if (dim.isPooled()) {
      windows *= static_cast<double>(dim.windows());
      steps *= static_cast<double>(dim.pool.size);
      points *= static_cast<double>(dim.block);
    }
  auto bytes = static_cast<double>(bytesOf(nest.nodes[nest.outputs.front().value].type)),
       together = static_cast<double>(pooledTogether(nest, tile, pooledLayout(nest, tile)));
  double ofThread = std::ceil(windows / together / static_cast<double>(tile.threads)),
         instructions = ofThread * (windowIssue + steps * (stepIssue + together / resultsAtOnce));
  work.rest.instructions += instructions;
  work.rest.integers += ofThread * windowIssue;
  work.rest.sharedBytes += (points + windows * steps) * bytes / work.warps;
  work.cachedBytes += (windows - points) * bytes;
}

TensorWork TensorTileWork::workOf(const BlockShape &shape, const GpuSchedule &threads, const BlockTile &tile) const {
  auto asDouble = [](int64_t number) { return static_cast<double>(number); };
  int64_t steps = 1, points = shape.rows * shape.columns;
  for (unsigned dim : contraction.depth)
    steps *= tile.dims[dim].fetches();
  int64_t bytes = bytesOf(nest.nodes[contraction.left].type),
          sumBytes = bytesOf(nest.nodes[nest.reductions[0].update].type), stage = copiedBytes(shape, tile),
          left = sharedLayout(nest.nodes[contraction.left], nest, tile).elements;
  int64_t stagesRead = inGroups ? wgmmaStagesRead : 1;
  TensorWork work;
  work.blocks = asDouble(tile.blocks * tile.splits);
  work.registers = registersOf(shape);
  work.leftBytes = asDouble(left * bytes * threads.stages);
  work.rightBytes = asDouble(shape.columns * shape.depth * bytes * threads.stages);
  work.warps = asDouble(tile.threads / GpuMachine::warpThreads);
  work.steps = asDouble(steps);
  work.ahead = keepsLeft ? 1 : threads.stages - stagesRead;
  work.step = stepOf(shape, tile, /*copies=*/work.steps > work.ahead);
  work.rest = restOf(shape, tile, keepsLeft ? 1 : std::min<int64_t>(threads.stages - stagesRead, steps));
  Behind behind = behindSums(shape, threads, tile);
  work.rest.sharedBytes += asDouble(behind.shared) / work.warps;
  work.vectorBytes = asDouble(bytesOfVectors(nest, threads, tile));
  work.unitCycles = asDouble(points * shape.depth * steps) / productsPerCycle(gpu, instruction);
  work.isSplit = tile.splits > 1;
  // Each block of a divided sum writes a part, and one of them reads all.
  work.cachedBytes = asDouble(stage * steps + behind.fetched + points * (work.isSplit ? 2 * sumBytes : bytes));
  work.partsBytes = asDouble(tile.splits * points * sumBytes);
  if (!threads.pool.empty())
    addPool(tile, work);
  return work;
}

} // namespace cameo::schedule
