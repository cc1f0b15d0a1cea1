// The rules: vector dimension, register block, loop order by what must stay in the cache, parallel range.
#include "passes/Schedule/Rules/DefaultSchedule.h"

#include "passes/Schedule/Nests/IndependentNests.h"
#include "passes/Schedule/Nests/TransposedLoads.h"
#include "passes/Schedule/Rules/ByteDot.h"
#include "passes/Schedule/Rules/ChooseVectors.h"
#include "passes/Schedule/Rules/ElementwiseBlock.h"
#include "passes/Schedule/Rules/NestCost.h"
#include "passes/Schedule/Rules/Operands/OperandTraffic.h"
#include "passes/Schedule/Rules/OverlapSums.h"
#include "passes/Schedule/Rules/PreparedOverlap.h"
#include "passes/Schedule/Rules/ReductionParts.h"
#include "passes/Schedule/Rules/RowStream.h"
#include "passes/Schedule/Rules/ShareKernels.h"
#include "passes/Schedule/Rules/ShortProduct.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>
#include <map>

namespace cameo::schedule {
namespace {

/// Nests with less work than this are not divided among threads in a kernel with others.
constexpr double minShareCycles = 1000;
/// The largest window whose points are all unrolled.
constexpr int64_t smallWindow = 9;
/// The largest window out of which places are selected without loops.
constexpr int64_t windowOfPlaces = 12;
/// What unrolled steps that share shuffled vectors take of the time that the model of blocks expects.
constexpr double beyondRegisters = 0.9;
/// The number of independent vector accumulators that hide the latency of a sum.
constexpr int64_t chainsOfSums = 4;
/// Reading the weights from memory may take this part (1/32) of the time of the products without being hidden.
constexpr double readingShare = 32;
/// The place of a piece of several parallel loops is found by divisions, which take a part of this time.
constexpr double shortPieceCycles = 100;
/// The time of a piece in which that no longer matters.
constexpr double longPieceCycles = 1000;
/// The most vectors of a block that is read as a stream: halves are read at 0.85 of the speed with 12.
constexpr int64_t vectorsOfStream = 8;

/// Describes the nests that share the parallel range of one nest.
struct Beside {
  double cycles = 0; ///< of the others
  /// The range of elements that a reduction computes by rows, by the number of the buffer.
  std::map<unsigned, Reach<int64_t>> planes;
};

class Rules {
public:
  Rules(const TaskProgram &program, const LoopNest &nest, unsigned rowDims, const Machine &machine,
        const Beside &beside)
      : program(program), nest(nest), rowDims(rowDims), machine(machine), beside(beside) {}

  NestSchedule run() {
    chooseVectors(program, nest, rowDims, machine, schedule);
    if (nest.hasReduction())
      scheduleReduction();
    else
      scheduleElementwise(nest, rowDims, machine, isWorthSharing(), schedule);
    overlapSums(nest, rowDims, machine, schedule);
    if (isWorthSharing() && !isEdge())
      chooseParallelLoops();
    return std::move(schedule);
  }

  double blockCycles(const NestSchedule &start) {
    schedule = start;
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

  /// Whether the nest fills the border above or below a plane whose rows threads share: the thread with the
  /// neighbouring rows fills it.
  bool isEdge() const {
    if (!storesConstants(nest) || nest.outputs.size() != 1 || !nest.hasKnownSizes())
      return false;
    const Output &output = nest.outputs.front();
    auto plane = beside.planes.find(output.buffer);
    if (plane == beside.planes.end())
      return false;
    auto filled = nest.reach<int64_t>(output.address);
    return filled.greatest < plane->second.least || filled.least > plane->second.greatest;
  }

  /// Whether the weights are read again and again from the cache. Their first read comes from memory, because other
  /// layers have used the cache since: that is short for small weights, and for larger ones beside long products.
  bool doWeightsStay() const {
    int64_t bytes = operands.vectorBytes();
    double memoryCycles = static_cast<double>(bytes) / machine.memoryBytesPerCycle;
    return bytes <= machine.l2Bytes / 16 ||
           (bytes <= machine.l2Bytes / 4 && memoryCycles * readingShare <= arithmeticCycles(nest, machine));
  }

  /// Chooses the loops over the reduction, those over dimensions other than the vector dimension, and the register
  /// block.
  RegisterTile chooseBlock(llvm::SmallVectorImpl<Loop> &spatial) {
    llvm::SmallVector<unsigned> scalar = scalarDims(nest, rowDims, schedule);
    // The vectorised operand is not reused along dimensions along which it varies (batches, groups, phases of strides).
    llvm::sort(scalar, [&](unsigned a, unsigned b) {
      bool firstVaries = operands.variesVector(a), secondVaries = operands.variesVector(b);
      return firstVaries != secondVaries ? firstVaries : a < b;
    });
    std::optional<unsigned> inner, outer;
    if (!scalar.empty())
      inner = scalar.back();
    // Two dimensions with remainders would multiply the number of kinds of blocks.
    if (scalar.size() > 1 && nest.dims[scalar[scalar.size() - 2]].extent.isKnown())
      outer = scalar[scalar.size() - 2];
    scheduleSteps();
    bool fetches = fetchesAhead();
    auto isTakenInParts = [&](int64_t vectors) { return fetches && parts.arePossible(scalar, vectors); };
    auto chooseTile = [&](std::optional<unsigned> inner, std::optional<unsigned> outer) {
      return chooseRegisterTile(nest, rowDims, schedule, inner, outer, machine, isTakenInParts);
    };
    RegisterTile tile = chooseTile(inner, outer);
    llvm::SmallVector<Loop> before(schedule.loops), best(before);
    for (std::optional<unsigned> dim : {inner, outer}) {
      std::optional<Overlap> overlap = dim ? preparedOverlap(nest, schedule, *dim) : std::nullopt;
      if (!overlap)
        continue;
      for (Loop &loop : schedule.loops)
        loop.size = loop.dim == overlap->window ? int64_t(nest.dims[loop.dim].extent)
                    : overlap->isConverted      ? 1
                                                : loop.size;
      RegisterTile other = dim == inner ? chooseTile(inner, outer) : chooseTile(outer, std::nullopt);
      if (dim == outer) {
        std::swap(other.inner, other.outer);
        other.cycles *= static_cast<double>(int64_t(nest.dims[*inner].extent));
      }
      // What is shuffled is loaded from the stack where a block has no register for it.
      if ((overlap->isConverted ? 1 : beyondRegisters) * other.cycles < tile.cycles)
        tile = other, best = schedule.loops;
      schedule.loops = before;
    }
    schedule.loops = best;
    for (unsigned dim : scalar)
      spatial.push_back({dim, dim == inner ? tile.inner : dim == outer ? tile.outer : 1});
    return tile;
  }

  void scheduleReduction() {
    if (std::optional<RowStream> stream = findRowStream(nest, rowDims, schedule, machine))
      return scheduleStream(*stream);
    llvm::SmallVector<Loop> spatial;
    RegisterTile tile = chooseBlock(spatial);
    bool vectorised = schedule.vectorDim && !nest.dims[*schedule.vectorDim].reduction;
    if (schedule.vectorDim && !vectorised &&
        (nest.loads(/*insideReduction=*/true).size() > 1 || takesMaximaOfFewVectors(nest, rowDims, schedule)))
      leaveChains(tile);
    if (vectorised) {
      // Operands that one pass reads once may still be in the cache from the previous run.
      bool isOnePass =
          llvm::all_of(spatial, [&](const Loop &loop) { return loop.size >= mostPoints(nest.dims[loop.dim]); });
      bool comesFromMemory = fetchesAhead() && operands.vectorBytes() > machine.l2Bytes,
           isStream = isOnePass && comesFromMemory && readsOneStream(machine);
      int64_t vectors = isStream ? std::min(tile.vectors, vectorsOfStream) : tile.vectors;
      Loop blocks{*schedule.vectorDim, (isOnePass ? shareAmongThreads(vectors) : vectors) * schedule.lanes};
      // Weights that stay in the cache are read again for every row of the activation. Other weights are read once, and
      // the activation is read for every block of them.
      std::optional<unsigned> window = outermostWindow(spatial);
      bool weightsStay = window || doWeightsStay();
      auto before = spatial.end();
      if (window)
        before = spatial.begin() + *window;
      else if (!weightsStay)
        before = spatial.begin() + operands.outermostShared(spatial);
      else if (spatial.size() > 1 || (!spatial.empty() && isShortProduct(nest, schedule, machine)))
        before = spatial.end() - 1;
      if (fetchesAhead() && !window && (!isOnePass || (comesFromMemory && !isStream)))
        schedule.prefetchedBuffers = schedule.packedBuffers;
      std::optional<Loop> cacheBlock;
      if (!weightsStay && before != spatial.end())
        cacheBlock = chooseCacheBlock(*before, blocks);
      // Each of two threads takes half of the rows, as it did in the nest that computed them, not half of the channels.
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

  /// A block has one row of the stream and all points that multiply it.
  void scheduleStream(const RowStream &stream) {
    for (unsigned dim : scalarDims(nest, rowDims, schedule)) {
      if (dim == stream.rows && stream.rowsPerPiece > 1)
        schedule.loops.push_back({dim, stream.rowsPerPiece});
      schedule.loops.push_back({dim, dim == stream.shared ? int64_t(nest.dims[dim].extent) : 1});
    }
    schedule.loops.push_back({*schedule.vectorDim, stream.vectors * schedule.lanes});
  }

  /// Sets the number of vectors in the innermost loop: each has an accumulator per point, enough in total to hide the
  /// latency of a product. A row keeps its own (where the maximum of 13 rows of 128 has one accumulator, softmax in
  /// overlapped tiles takes 1.05 times as long).
  void leaveChains(const RegisterTile &tile) {
    for (Loop &loop : schedule.loops)
      if (isVector(loop.dim))
        loop.size = std::max<int64_t>(1, chainsOfSums / (tile.inner * tile.outer)) * schedule.lanes;
  }

  /// Whether packed operands come from memory and the address of their next block is known. What no points share is a
  /// stream that the processor fetches by itself.
  bool fetchesAhead() const {
    return rowDims == 0 && !doWeightsStay() && !readsNothingTwice(nest, rowDims) &&
           llvm::none_of(nest.nodes, [&](const Node &node) {
             return llvm::is_contained(schedule.packedBuffers, node.buffer) && !hasKnownRange(nest, node);
           });
  }

  /// Whether threads share the points inside of the first of `spatial`, the loop over blocks of weights, and each reads
  /// all weights. If they shared the blocks instead, each thread would read points that another one computed, and its
  /// own results would be read by others.
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

  /// Returns a loop around `blocks`, the loop over blocks of a large packed operand, over parts of the dimension of
  /// `first`. The data that the blocks share then stay in the second-level cache, beside a block and the next one,
  /// while all blocks run. Returns nothing if reading the packed operand again costs as much.
  std::optional<Loop> chooseCacheBlock(const Loop &first, const Loop &blocks) const {
    int64_t shared = operands.sharedBytes(), extent = nest.dims[first.dim].extent,
            vectorExtent = nest.dims[blocks.dim].extent;
    if (shared <= machine.l2Bytes / 2)
      return std::nullopt;
    // Blocks that leave too little room are processed in parts.
    int64_t pair = 2 * operands.vectorBytes(blocks.size),
            resident = machine.roomBytes() - (pair <= machine.roomBytes() / 2 ? pair : 2 * fetchedBytes);
    resident = std::min(resident, machine.l2Bytes / 2);
    int64_t parts = llvm::divideCeil(shared, resident);
    int64_t size = llvm::alignTo(llvm::divideCeil(extent, parts), first.size), passes = llvm::divideCeil(extent, size);
    int64_t count = llvm::divideCeil(vectorExtent, blocks.size);
    bool isWorthIt = size < extent && shared * (count - 1) > operands.vectorBytes(vectorExtent) * (passes - 1);
    return isWorthIt ? std::optional(Loop{first.dim, size}) : std::nullopt;
  }

  /// Returns the number of vectors per block of a row, at most `vectors` of `all`. It prefers blocks of equal size if
  /// they are not much smaller, so that the order can be reversed.
  int64_t divideRow(int64_t all, int64_t vectors) const {
    for (int64_t even = vectors; rowDims > 0 && even > vectors / 2; --even)
      if (all % even == 0)
        return even;
    return llvm::divideCeil(all, llvm::divideCeil(all, vectors));
  }

  /// Returns the number of vectors per block if threads can share blocks only. Nothing is read twice and memory
  /// bandwidth limits the speed, so smaller blocks are as fast.
  int64_t shareAmongThreads(int64_t vectors) const {
    int64_t all = llvm::divideCeil(nest.dims[*schedule.vectorDim].extent, int64_t(schedule.lanes));
    if (!isWorthSharing() || all < 2)
      return divideRow(all, vectors);
    // An even number of pieces, each large enough to hide the latency of its sums: longer where several results are
    // selected.
    int64_t fewest = elementwiseVectors * std::ssize(nest.reductions),
            pieces = std::min<int64_t>(machine.enoughPieces(), llvm::divideCeil(all, fewest)) / 2 * 2;
    return std::min<int64_t>(vectors, llvm::divideCeil(all, std::max<int64_t>(pieces, 2)));
  }

  /// Whether the window along `dims` has too few steps for a loop around the few points for which 16 registers have
  /// room.
  bool isSmallWindow(llvm::ArrayRef<unsigned> dims) const {
    return machine.vectorRegisters <= 16 && nest.dims[dims[0]].extent * nest.dims[dims[1]].extent <= smallWindow &&
           operands.areAllVectors();
  }

  /// Returns the outermost loop along which windows overlap, if all operands vary along the vector dimension. With
  /// blocks of the vector dimension around it, weights and overlapping elements stay in the first-level cache. Excludes
  /// planes that come from memory, where a block would read scattered cache lines.
  std::optional<unsigned> outermostWindow(llvm::ArrayRef<Loop> spatial) const {
    if (rowDims > 0 || !operands.areAllVectors() || operands.distinctBytes() > static_cast<double>(machine.l2Bytes) / 2)
      return std::nullopt;
    return operands.outermostOverlap(spatial);
  }

  /// Returns the number of steps to unroll; it divides `extent` if a small number does.
  static int64_t unrolledSteps(int64_t extent) {
    return extent <= 4       ? std::max<int64_t>(extent, 1)
           : extent % 4 == 0 ? 4
           : extent % 3 == 0 ? 3
           : extent % 2 == 0 ? 2
                             : 4;
  }

  /// Returns the number of groups to unroll: for scaled products as many as possible per conversion of the sums to
  /// floats.
  int64_t unrolledGroups(int64_t extent) const {
    constexpr int64_t mostGroups = 8;
    if (!matchByteDot(nest, schedule)->isScaled())
      return unrolledSteps(extent);
    return extent <= mostGroups       ? std::max<int64_t>(extent, 1)
           : extent % mostGroups == 0 ? mostGroups
                                      : unrolledSteps(extent);
  }

  /// Whether each step of a small window selects several results, as the greatest element and its place: the place is
  /// a constant where the window has no loops, and the first step selects nothing.
  bool takesPlacesInSmallWindow(llvm::ArrayRef<unsigned> dims) const {
    int64_t steps = 1;
    for (unsigned dim : dims)
      steps *= nest.dims[dim].extent;
    return nest.reductions.size() > 1 && steps <= windowOfPlaces &&
           llvm::none_of(dims, [&](unsigned dim) { return isVector(dim) || !nest.dims[dim].extent.isKnown(); });
  }

  /// Whether the reduction `dim` is a single vector of steps that no other operand multiplies: there is no loop over
  /// it, so the next one is the innermost loop.
  bool isOneVectorOfSteps(unsigned dim) const {
    return isVector(dim) && nest.dims[dim].extent.isKnown() && nest.dims[dim].extent <= int64_t(schedule.lanes) &&
           llvm::count_if(nest.loads(/*insideReduction=*/true),
                          [&](NodeId id) { return (nest.nodes[id].dependsOn >> dim) & 1; }) == 1;
  }

  /// Adds the loops over the reduction. The dimension along which the shared operand is contiguous is innermost and
  /// unrolled a little.
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
      return isVector(dim) || isBetweenLanes(nest, schedule, dim) ? -1 : sum;
    };
    llvm::sort(dims,
               [&](unsigned a, unsigned b) { return distance(a) != distance(b) ? distance(a) > distance(b) : a < b; });
    // Elements that are shuffled for one point of a window are used for its neighbours, too.
    bool hasNoLoops = takesPlacesInSmallWindow(dims) || isShortProduct(nest, schedule, machine);
    bool sharesRuns = llvm::any_of(nest.nodes, [](const Node &node) { return node.shared.has_value(); });
    for (unsigned dim : dims) {
      int64_t extent = nest.dims[dim].extent, unroll = 1;
      if (isVector(dim))
        unroll = chainsOfSums * schedule.lanes;
      else if (schedule.dotDim == dim)
        unroll = dotGroup * unrolledGroups(extent / dotGroup);
      else if (hasNoLoops || (sharesRuns && (dim == dims.back() || (dim == dims.end()[-2] && extent <= longestWindow))))
        unroll = extent;
      else if (dims.size() == 2 && dim == dims.front() && isSmallWindow(dims))
        unroll = extent;
      else if (dim == dims.back() || (dim == dims.end()[-2] && isOneVectorOfSteps(dims.back())))
        unroll = isBetweenLanes(nest, schedule, dim) ? extent : unrolledSteps(extent);
      schedule.loops.push_back({dim, unroll});
    }
  }

  void chooseParallelLoops() {
    int64_t pieces = 1;
    for (unsigned level = schedule.repeatedLoops; level < schedule.loops.size(); ++level) {
      const Loop &loop = schedule.loops[level];
      bool again = llvm::any_of(llvm::ArrayRef(schedule.loops).take_front(schedule.parallelEnd()),
                                [&](const Loop &other) { return other.dim == loop.dim; });
      if (pieces >= machine.enoughPieces() || nest.dims[loop.dim].reduction || again)
        return;
      if (std::optional<Loop> part = chooseRun(loop, pieces)) {
        schedule.loops.insert(schedule.loops.begin() + level, *part);
        if (schedule.partialLoop && *schedule.partialLoop >= level)
          ++*schedule.partialLoop;
      }
      ++schedule.parallelLoops;
      pieces = parallelExtent(nest, schedule);
    }
  }

  /// Returns a loop around `loop`, which divides each of `pieces` pieces, if its iterations are too short to find their
  /// place by division. The loop has as many iterations as threads need.
  std::optional<Loop> chooseRun(const Loop &loop, int64_t pieces) const {
    const Size &extent = nest.dims[loop.dim].extent;
    // A piece of a product of few steps would load its vectors again.
    bool isShort = isShortProduct(nest, schedule, machine);
    if ((pieces == 1 && !isShort) || storesConstants(nest))
      return std::nullopt;
    if (!nest.hasKnownSizes())
      return chooseCountedRun(loop, pieces);
    int64_t wanted = llvm::divideCeil(machine.enoughPieces(), pieces), count = llvm::divideCeil(extent, loop.size);
    if (count <= 2 * wanted ||
        (!isShort && cyclesOf(program, nest, machine) >= shortPieceCycles * static_cast<double>(pieces * count)))
      return std::nullopt;
    for (int64_t parts = wanted; parts <= 2 * wanted; ++parts)
      if (count % parts == 0)
        return Loop{loop.dim, count / parts * loop.size};
    return Loop{loop.dim, int64_t(llvm::divideCeil(count, wanted)) * loop.size};
  }

  /// Returns the same where sizes are dynamic: as many iterations as take longer than their place.
  std::optional<Loop> chooseCountedRun(const Loop &loop, int64_t pieces) const {
    int64_t count = llvm::divideCeil(nest.dims[loop.dim].extent, loop.size);
    double cycles = cyclesOf(program, nest, machine) / static_cast<double>(pieces * count);
    if (isVector(loop.dim) && !nest.hasReduction() && cycles < shortPieceCycles)
      return Loop{loop.dim, loop.size * int64_t(llvm::PowerOf2Ceil(uint64_t(std::ceil(longPieceCycles / cycles))))};
    return std::nullopt;
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
  NestSchedule start;
  chooseVectors(program, nest, /*rowDims=*/0, machine, start);
  return registerBlockCycles(program, nest, machine, start);
}

double registerBlockCycles(const TaskProgram &program, const LoopNest &nest, const Machine &machine,
                           const NestSchedule &start) {
  return Rules(program, nest, /*rowDims=*/0, machine, Beside()).blockCycles(start);
}

NestSchedule defaultSchedule(const TaskProgram &program, const LoopNest &nest, unsigned rowDims,
                             const Machine &machine) {
  return Rules(program, nest, rowDims, machine, Beside()).run();
}

/// Records the results of `nest` if its schedule divides rows among threads.
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
