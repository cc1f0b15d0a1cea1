// The rules: vector dimension, register block, loop order by what must stay in the cache, parallel range.
#include "passes/Schedule/Rules/DefaultSchedule.h"

#include "passes/Schedule/Nests/IndependentNests.h"
#include "passes/Schedule/Nests/TransposedLoads.h"
#include "passes/Schedule/Rules/ByteDot.h"
#include "passes/Schedule/Rules/NestCost.h"
#include "passes/Schedule/Rules/OperandTraffic.h"
#include "passes/Schedule/Rules/OverlapSums.h"
#include "passes/Schedule/Rules/ReductionParts.h"
#include "passes/Schedule/Rules/ShareKernels.h"

#include "llvm/Support/MathExtras.h"

#include <map>

namespace cameo::schedule {
namespace {

/// What is less than this is left whole beside others that are shared.
constexpr double minShareCycles = 1000;
constexpr int64_t elementwiseVectors = 4;
/// Walks through tables that take turns, since each waits for what it loads.
constexpr int64_t walksAtOnce = 4;
/// Points of a window that are all unrolled.
constexpr int64_t smallWindow = 9;
/// Rows of a window that are unrolled.
constexpr int64_t longestWindow = 5;
/// Sums of vectors that take turns, so that none waits for itself.
constexpr int64_t chainsOfSums = 4;
/// Of a nest's products, the part of the time that reading its weights from memory may take without being hidden.
constexpr double readingShare = 32;
/// The nests that share the range of one.
struct Beside {
  double cycles = 0; ///< of the others
  /// The first and the last element that a reduction computes by rows, of the buffers where one does.
  std::map<unsigned, Reach<int64_t>> planes;
};

class Rules {
public:
  Rules(const TaskProgram &program, const LoopNest &nest, unsigned rowDims, const Machine &machine,
        const Beside &beside)
      : program(program), nest(nest), rowDims(rowDims), machine(machine), beside(beside) {}

  NestSchedule run() {
    chooseVectorDimension(program, nest, rowDims, machine, schedule);
    chooseDot(program, nest, rowDims, machine, schedule);
    if (nest.hasReduction())
      scheduleReduction();
    else
      scheduleElementwise();
    overlapSums(nest, rowDims, machine, schedule);
    if (isWorthSharing() && !isEdge())
      chooseParallelLoops();
    return std::move(schedule);
  }

  double blockCycles() {
    chooseVectorDimension(program, nest, rowDims, machine, schedule);
    chooseDot(program, nest, rowDims, machine, schedule);
    llvm::SmallVector<Loop> spatial;
    double cycles = chooseBlock(spatial).cycles;
    for (const Loop &loop : llvm::ArrayRef(spatial).drop_back(std::min<size_t>(spatial.size(), 2)))
      cycles *= static_cast<double>(nest.dims[loop.dim].extent);
    return cycles;
  }

private:
  bool isVector(unsigned dim) const { return schedule.vectorDim == dim; }

  bool isWorthSharing() const {
    double cycles = cyclesOf(program, nest, machine);
    return rowDims == 0 && cycles >= minShareCycles && cycles + beside.cycles >= machine.shareCycles;
  }

  /// Whether this fills up what lies above or below of a plane whose rows threads share: one fills it, that which has
  /// the rows beside it.
  bool isEdge() const {
    if (nest.hasReduction() || !nest.loads(/*insideReduction=*/false).empty() || nest.outputs.size() != 1 ||
        !nest.hasKnownSizes())
      return false;
    const Output &output = nest.outputs.front();
    auto plane = beside.planes.find(output.buffer);
    if (plane == beside.planes.end())
      return false;
    auto filled = nest.reach<int64_t>(output.address);
    return filled.greatest < plane->second.least || filled.least > plane->second.greatest;
  }

  /// Parallel dimensions other than the vector's, outermost first.
  llvm::SmallVector<unsigned> scalarDims() const {
    llvm::SmallVector<unsigned> dims;
    for (unsigned dim = rowDims; dim < nest.dims.size(); ++dim)
      if (!nest.dims[dim].reduction && !isVector(dim))
        dims.push_back(dim);
    return dims;
  }

  /// The dimension of squares that are transposed as they are loaded.
  std::optional<unsigned> squareDim() const {
    if (schedule.vectorDim)
      for (const Node &node : nest.nodes)
        if (std::optional<unsigned> dim = transposedDim(nest, node, *schedule.vectorDim, schedule.lanes, rowDims))
          return dim;
    return std::nullopt;
  }

  /// The dimension of what lies between the elements of a spread vector, as channels do between pixels: all of it is in
  /// lines that one point reads.
  std::optional<unsigned> betweenDim() const {
    if (schedule.vectorDim)
      for (const Node &node : nest.nodes)
        if (isSpread(node, *schedule.vectorDim, schedule.lanes))
          for (unsigned dim : scalarDims())
            if (int64_t apart = std::abs(int64_t(node.address.coefficients[dim]));
                apart != 0 && nest.dims[dim].extent.isKnown() &&
                apart * nest.dims[dim].extent <= std::abs(int64_t(node.address.coefficients[*schedule.vectorDim])))
              return dim;
    return std::nullopt;
  }

  void scheduleElementwise() {
    std::optional<unsigned> square = squareDim(), between = square ? std::nullopt : betweenDim();
    if (square)
      schedule.lanes = std::min<unsigned>(schedule.lanes, maxTransposedLanes);
    for (unsigned dim : scalarDims())
      schedule.loops.push_back({dim, dim == square    ? schedule.lanes
                                     : dim == between ? int64_t(nest.dims[dim].extent)
                                                      : 1});
    if (!schedule.vectorDim) {
      if (!schedule.loops.empty() && walksTables(nest, schedule.loops.back().dim))
        schedule.loops.back().size = walksAtOnce;
      return;
    }
    if (rowDims > 0)
      schedule.prefetchedBuffers = schedule.packedBuffers;
    unsigned dim = *schedule.vectorDim;
    // Steps of long functions wait for each other, those of several vectors take turns.
    int64_t outputs = llvm::any_of(nest.nodes, isLongFunction) ? 1 : nest.outputs.size();
    int64_t vectors = square || between ? 1 : std::max<int64_t>(1, elementwiseVectors / outputs);
    int64_t block = vectors * schedule.lanes, extent = nest.dims[dim].extent;
    // One long dimension is cut for the threads first.
    if (schedule.loops.empty() && isWorthSharing())
      schedule.loops.push_back({dim, int64_t(llvm::alignTo(llvm::divideCeil(extent, machine.enoughPieces()), block))});
    schedule.loops.push_back({dim, block});
  }

  /// Whether weights may be run through again and again. They come from memory first, since other layers had the cache:
  /// that is short for small ones, and for larger ones beside a long time of products.
  bool doWeightsStay() const {
    int64_t bytes = operands.vectorBytes();
    double memoryCycles = static_cast<double>(bytes) / machine.memoryBytesPerCycle;
    return bytes <= machine.l2Bytes / 16 ||
           (bytes <= machine.l2Bytes / 4 && memoryCycles * readingShare <= arithmeticCycles(nest, machine));
  }

  /// The loops over the reduction, those over dimensions other than the vector's, and the register block.
  RegisterTile chooseBlock(llvm::SmallVectorImpl<Loop> &spatial) {
    llvm::SmallVector<unsigned> scalar = scalarDims();
    // Dimensions along which the vectorised operand varies (batches, groups, phases of strides) offer no reuse of it.
    llvm::sort(scalar, [&](unsigned a, unsigned b) {
      bool firstVaries = operands.variesVector(a), secondVaries = operands.variesVector(b);
      return firstVaries != secondVaries ? firstVaries : a < b;
    });
    std::optional<unsigned> inner, outer;
    if (!scalar.empty())
      inner = scalar.back();
    // Two whose rests have code of their own would be as many kinds of blocks as the product.
    if (scalar.size() > 1 && nest.dims[scalar[scalar.size() - 2]].extent.isKnown())
      outer = scalar[scalar.size() - 2];
    scheduleSteps();
    bool fetches = fetchesAhead();
    auto isTakenInParts = [&](int64_t vectors) { return fetches && parts.arePossible(scalar, vectors); };
    RegisterTile tile = chooseRegisterTile(nest, rowDims, schedule, inner, outer, machine, isTakenInParts);
    for (unsigned dim : scalar)
      spatial.push_back({dim, dim == inner ? tile.inner : dim == outer ? tile.outer : 1});
    return tile;
  }

  void scheduleReduction() {
    llvm::SmallVector<Loop> spatial;
    RegisterTile tile = chooseBlock(spatial);
    bool vectorised = schedule.vectorDim && !nest.dims[*schedule.vectorDim].reduction;
    if (schedule.vectorDim && !vectorised && nest.loads(/*insideReduction=*/true).size() > 1)
      leaveChains(tile);
    if (vectorised) {
      // What one pass reads once may still be in the cache from the run before.
      bool isOnePass =
          llvm::all_of(spatial, [&](const Loop &loop) { return loop.size >= mostPoints(nest.dims[loop.dim]); });
      Loop blocks{*schedule.vectorDim, (isOnePass ? shareAmongThreads(tile.vectors) : tile.vectors) * schedule.lanes};
      // Weights that stay in the cache are run through for every row of the activation; others once, with the
      // activation run through for every block of theirs.
      std::optional<unsigned> window = outermostWindow(spatial);
      bool weightsStay = window || doWeightsStay();
      auto before = spatial.end();
      if (window)
        before = spatial.begin() + *window;
      else if (!weightsStay)
        before = spatial.begin() + operands.outermostShared(spatial);
      else if (!spatial.empty() && spatial.size() > 1)
        before = spatial.end() - 1;
      if (fetchesAhead() && !window && (!isOnePass || operands.vectorBytes() > machine.l2Bytes))
        schedule.prefetchedBuffers = schedule.packedBuffers;
      std::optional<Loop> cacheBlock;
      if (!weightsStay && before != spatial.end())
        cacheBlock = chooseCacheBlock(*before, blocks);
      // Two threads have half of the rows each, as they had of the nest that computed them, not half of the channels.
      if (window && isWorthSharing())
        cacheBlock = Loop{before->dim, int64_t(llvm::divideCeil(int64_t(nest.dims[before->dim].extent), 2))};
      before = spatial.insert(before, blocks);
      if (cacheBlock)
        before = spatial.insert(before, *cacheBlock) + 1;
      if (!schedule.prefetchedBuffers.empty() && !isOnePass)
        parts.takeOut(spatial, before - spatial.begin() + 1);
      if (!weightsStay && !window && !cacheBlock && isWorthSharing() && sharesPoints(spatial))
        schedule.repeatedLoops = 1;
    }
    schedule.loops.insert(schedule.loops.begin(), spatial.begin(), spatial.end());
  }

  /// The vectors of an innermost loop are as many chains of sums, each in registers of its own: with those of all
  /// points of a product enough not to wait for each other. Rows keep theirs (where the largest of 13 rows of 128 has
  /// one chain, softmax in overlapped tiles takes 1.05 times as long).
  void leaveChains(const RegisterTile &tile) {
    for (Loop &loop : schedule.loops)
      if (isVector(loop.dim))
        loop.size = std::max<int64_t>(1, chainsOfSums / (tile.inner * tile.outer)) * schedule.lanes;
  }

  /// Whether packed operands come from memory, and it is known where the next block of them lies.
  bool fetchesAhead() const {
    return rowDims == 0 && !doWeightsStay() && llvm::none_of(nest.nodes, [&](const Node &node) {
             return llvm::is_contained(schedule.packedBuffers, node.buffer) && !hasKnownRange(nest, node);
           });
  }

  /// Whether threads share the points inside of the first of `spatial`, the loop over blocks of weights, and read all
  /// weights each: where they share blocks instead, they read points that another thread computed, and leave theirs to
  /// others.
  bool sharesPoints(llvm::ArrayRef<Loop> spatial) const {
    auto isOtherPoints = [&](const Loop &loop) { return !nest.dims[loop.dim].reduction && !isVector(loop.dim); };
    if (!nest.hasKnownSizes() || !isVector(spatial[0].dim) || !llvm::all_of(spatial.drop_front(), isOtherPoints))
      return false;
    int64_t pieces = 1;
    for (const Loop &loop : spatial.drop_front())
      pieces *= llvm::divideCeil(int64_t(nest.dims[loop.dim].extent), loop.size);
    double points = static_cast<double>(operands.sharedBytes());
    for (const Output &output : nest.outputs)
      points += elementsAt(nest, output.address) * static_cast<double>(bytesOf(nest.nodes[output.value].type));
    return pieces >= machine.enoughPieces() && static_cast<double>(operands.vectorBytes()) < points;
  }

  /// A loop around `blocks`, which is the one over those of a large packed operand, over parts of `first`, so that what
  /// the blocks share stays in the second-level cache beside a block and the next one while all of them are run
  /// through. Nothing where reading that operand again costs as much.
  std::optional<Loop> chooseCacheBlock(const Loop &first, const Loop &blocks) const {
    int64_t shared = operands.sharedBytes(), extent = nest.dims[first.dim].extent,
            vectorExtent = nest.dims[blocks.dim].extent;
    if (shared <= machine.l2Bytes / 2)
      return std::nullopt;
    // Blocks that leave too little of it are taken part by part.
    int64_t pair = 2 * operands.vectorBytes(blocks.size),
            resident = machine.roomBytes() - (pair <= machine.roomBytes() / 2 ? pair : 2 * fetchedBytes);
    resident = std::min(resident, machine.l2Bytes / 2);
    int64_t parts = llvm::divideCeil(shared, resident);
    int64_t size = llvm::alignTo(llvm::divideCeil(extent, parts), first.size), passes = llvm::divideCeil(extent, size);
    int64_t count = llvm::divideCeil(vectorExtent, blocks.size);
    bool isWorthIt = size < extent && shared * (count - 1) > operands.vectorBytes(vectorExtent) * (passes - 1);
    return isWorthIt ? std::optional(Loop{first.dim, size}) : std::nullopt;
  }

  /// Vectors per block of a row, at most `vectors` of `all`: as many in each, if that is not much less, so that
  /// backwards is the same way as forwards.
  int64_t divideRow(int64_t all, int64_t vectors) const {
    for (int64_t even = vectors; rowDims > 0 && even > vectors / 2; --even)
      if (all % even == 0)
        return even;
    return llvm::divideCeil(all, llvm::divideCeil(all, vectors));
  }

  /// Vectors per block where blocks are all that threads can share. Nothing is read twice, so that smaller blocks are
  /// as fast: memory is what takes the time.
  int64_t shareAmongThreads(int64_t vectors) const {
    int64_t all = llvm::divideCeil(nest.dims[*schedule.vectorDim].extent, int64_t(schedule.lanes));
    if (!isWorthSharing() || all < 2)
      return divideRow(all, vectors);
    // An even number of pieces, none so small that it waits for its own sums.
    int64_t pieces = std::min<int64_t>(machine.enoughPieces(), llvm::divideCeil(all, elementwiseVectors)) / 2 * 2;
    return std::min<int64_t>(vectors, llvm::divideCeil(all, std::max<int64_t>(pieces, 2)));
  }

  /// Whether the steps along both of `dims` are too few for a loop around so few points as 16 registers have room for.
  bool isSmallWindow(llvm::ArrayRef<unsigned> dims) const {
    return machine.vectorRegisters <= 16 && nest.dims[dims[0]].extent * nest.dims[dims[1]].extent <= smallWindow &&
           operands.areAllVectors();
  }

  /// The outermost loop inside of which windows overlap, where all operands vary along the vector dimension: with
  /// blocks of that around it, their weights and what the windows share stay in the first-level cache. Not of planes
  /// that come from memory, where a block would read a line here and there.
  std::optional<unsigned> outermostWindow(llvm::ArrayRef<Loop> spatial) const {
    if (rowDims > 0 || !operands.areAllVectors() || operands.distinctBytes() > static_cast<double>(machine.l2Bytes) / 2)
      return std::nullopt;
    return operands.outermostOverlap(spatial);
  }

  /// As many that they divide `extent`, if a few do.
  static int64_t unrolledSteps(int64_t extent) {
    return extent <= 4       ? std::max<int64_t>(extent, 1)
           : extent % 4 == 0 ? 4
           : extent % 3 == 0 ? 3
           : extent % 2 == 0 ? 2
                             : 4;
  }

  /// What is scaled has as many as it can for each time that sums become floats.
  int64_t unrolledGroups(int64_t extent) const {
    constexpr int64_t mostGroups = 8;
    if (!matchByteDot(nest, schedule)->isScaled())
      return unrolledSteps(extent);
    return extent <= mostGroups       ? std::max<int64_t>(extent, 1)
           : extent % mostGroups == 0 ? mostGroups
                                      : unrolledSteps(extent);
  }

  /// Loops over the reduction: the dimension that the shared operand walks contiguously innermost, unrolled a little.
  void scheduleSteps() {
    llvm::SmallVector<unsigned> dims;
    for (unsigned dim = 0; dim < nest.dims.size(); ++dim)
      if (nest.dims[dim].reduction)
        dims.push_back(dim);
    auto distance = [&](unsigned dim) {
      int64_t sum = 0;
      for (NodeId id : nest.loads(/*insideReduction=*/true))
        if (!llvm::is_contained(schedule.packedBuffers, nest.nodes[id].buffer))
          sum += std::abs(nest.nodes[id].address.coefficients[dim]);
      return isVector(dim) ? -1 : sum;
    };
    llvm::sort(dims,
               [&](unsigned a, unsigned b) { return distance(a) != distance(b) ? distance(a) > distance(b) : a < b; });
    // What is spread over the lanes for one point of a window is used for its neighbours too.
    bool sharesRuns = llvm::any_of(nest.nodes, [](const Node &node) { return node.shared.has_value(); });
    for (unsigned dim : dims) {
      int64_t extent = nest.dims[dim].extent, unroll = 1;
      if (isVector(dim))
        unroll = chainsOfSums * schedule.lanes;
      else if (schedule.dotDim == dim)
        unroll = dotGroup * unrolledGroups(extent / dotGroup);
      else if (sharesRuns && (dim == dims.back() || (dim == dims.end()[-2] && extent <= longestWindow)))
        unroll = extent;
      else if (dims.size() == 2 && dim == dims.front() && isSmallWindow(dims))
        unroll = extent;
      else if (dim == dims.back())
        unroll = unrolledSteps(extent);
      schedule.loops.push_back({dim, unroll});
    }
  }

  void chooseParallelLoops() {
    int64_t pieces = 1;
    for (const Loop &loop : llvm::ArrayRef(schedule.loops).drop_front(schedule.repeatedLoops)) {
      bool again = llvm::any_of(llvm::ArrayRef(schedule.loops).take_front(schedule.parallelEnd()),
                                [&](const Loop &other) { return other.dim == loop.dim; });
      if (pieces >= machine.enoughPieces() || nest.dims[loop.dim].reduction || again)
        return;
      ++schedule.parallelLoops;
      pieces = parallelExtent(nest, schedule);
    }
  }

  const TaskProgram &program;
  const LoopNest &nest;
  unsigned rowDims;
  const Machine &machine;
  const Beside &beside;
  NestSchedule schedule;
  OperandTraffic operands{nest, schedule};
  ReductionParts parts{nest, schedule, operands, machine};
};

} // namespace

int64_t workOf(const LoopNest &nest) {
  int64_t work = 1;
  for (const Dimension &dim : nest.dims)
    work *= dim.extent;
  return work;
}

double registerBlockCycles(const TaskProgram &program, const LoopNest &nest, const Machine &machine) {
  return Rules(program, nest, /*rowDims=*/0, machine, Beside()).blockCycles();
}

NestSchedule defaultSchedule(const TaskProgram &program, const LoopNest &nest, unsigned rowDims,
                             const Machine &machine) {
  return Rules(program, nest, rowDims, machine, Beside()).run();
}

/// Notes what `nest` computes where its schedule has threads share it by rows.
static void notePlanes(const LoopNest &nest, const NestSchedule &schedule, Beside &beside) {
  bool sharesRows = schedule.parallelLoops > 0 && schedule.loops[schedule.repeatedLoops].dim != schedule.vectorDim;
  if (sharesRows && nest.hasReduction() && nest.hasKnownSizes())
    for (const Output &output : nest.outputs)
      beside.planes.try_emplace(output.buffer, nest.reach<int64_t>(output.address));
}

std::vector<NestSchedule> defaultSchedules(const TaskProgram &program, const Machine &machine) {
  std::vector<NestSchedule> schedules;
  for (llvm::ArrayRef<NestGroup> left = program.groups; !left.empty();) {
    llvm::ArrayRef<NestGroup> groups = left.take_front(countTogether(left, machine));
    left = left.drop_front(groups.size());
    double cycles = 0;
    if (groups.size() > 1 && isAlone(groups.front()))
      for (const NestGroup &group : groups)
        cycles += cyclesOf(program, group.nests[0], machine);
    Beside beside;
    for (const NestGroup &group : groups)
      for (const LoopNest &nest : group.nests) {
        beside.cycles = cycles > 0 ? cycles - cyclesOf(program, nest, machine) : 0;
        schedules.push_back(Rules(program, nest, group.rowDims, machine, beside).run());
        notePlanes(nest, schedules.back(), beside);
      }
  }
  return schedules;
}

} // namespace cameo::schedule
