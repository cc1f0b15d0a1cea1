// Chooses the register block of a reduction: enough accumulators to hide the latency, within the number of registers,
// in the shape that divides the extents best and needs the fewest loads.
#include "passes/Schedule/Nests/TransposedLoads.h"
#include "passes/Schedule/Rules/ByteDot.h"
#include "passes/Schedule/Rules/Complete/BlockedSummation.h"
#include "passes/Schedule/Rules/DefaultSchedule.h"
#include "passes/Schedule/Rules/FactorLanes.h"
#include "passes/Schedule/Rules/Operands/OperandTraffic.h"
#include "passes/Schedule/Rules/OverlapSums.h"
#include "passes/Schedule/Rules/ShortProduct.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include "llvm/Support/MathExtras.h"

namespace cameo::schedule {
namespace {

constexpr double latencyCycles = 4, unitsPerCycle = 2;
/// The sums that hide the latency. More of them in a product of few steps only store more lines at once.
constexpr auto hidingSums = static_cast<int64_t>(latencyCycles * unitsPerCycle);
/// The cost of a load beyond its use of a load unit, and out of the second-level cache beside stores to it.
constexpr double loadCycles = 0.125, farLoadCycles = 0.5;
/// The cost of setting up one block and of storing each result, beyond the reduction loop.
constexpr double blockOverheadCycles = 20, storeCycles = 1.5;
/// The cost of reading a cache line again after its eviction from the first-level cache.
constexpr double lineCycles = 8;
/// Returns the bandwidth of the second-level cache beside multiply-adds: blocks of 5 points by 5 vectors, which need
/// 25.6 of 24 bytes, are 3 to 8 % slower than blocks of 6 by 4.
double steadyBytesPerCycle(const Machine &machine) { return machine.nearBytesPerCycle * 23 / 24; }
/// The number of instructions that multiply and add a group of bytes with 16-bit pairs.
constexpr int64_t pairOperations = 4;
/// The same with VNNI, which multiplies and adds a pair at once.
constexpr int64_t addedPairOperations = 2;

/// Registers that hold coefficients of a long function of the sums around the loops. A block that fills all other
/// registers would make the allocator spill inside of the loops.
constexpr int64_t functionRegisters = 2;

/// Returns the operations of the multiply-add units for converting an operand, such as a float extension. Vectors of 64
/// bytes are also shuffled by one of these units, shorter ones by other units.
int64_t preparationOperations(const Node &node, const Machine &machine) {
  return llvm::isa<mlir::arith::ExtFOp>(node.op) && machine.vectorBytes >= 64 ? 2 : 1;
}

bool isIntegerProduct(const Node &node) {
  return node.kind == Node::Kind::Apply && llvm::isa<mlir::arith::MulIOp>(node.op) && !node.type.isIndex();
}

struct Shape {
  llvm::SmallVector<int64_t, 8> points; ///< of the block, per dimension; vectors along the vector dimension
};

class Model {
public:
  Model(const LoopNest &nest, unsigned rowDims, const NestSchedule &schedule, std::optional<unsigned> innerDim,
        std::optional<unsigned> outerDim, const Machine &machine)
      : nest(nest), rowDims(rowDims), schedule(schedule), innerDim(innerDim), outerDim(outerDim), machine(machine),
        loads(nest.loads(/*insideReduction=*/true)) {
    for (auto [dim, dimension] : llvm::enumerate(nest.dims))
      if (dimension.reduction)
        steps *= llvm::divideCeil(int64_t(dimension.extent), stepOf(dim));
    findUnrolled();
    if (!schedule.dotDim)
      findPreparations();
    operations = 0;
    for (const Node &node : nest.nodes)
      if (node.kind == Node::Kind::Apply)
        ++(node.usesAccumulator ? operations : computed);
    // Values that are computed from loads, such as numbers of a few bits extracted from bytes, are live for all points
    // of a block at once.
    if (schedule.vectorDim && llvm::count_if(nest.nodes, [&](const Node &node) {
                                return node.kind == Node::Kind::Apply && !node.usesAccumulator &&
                                       (node.dependsOn >> *schedule.vectorDim) & 1;
                              }) > fewSteps)
      valuesPerPoint = 2;
    // LLVM computes several products before it adds them, if they are no multiply-adds.
    if (!schedule.dotDim && llvm::any_of(nest.computed(/*insideReduction=*/true),
                                         [&](NodeId id) { return isIntegerProduct(nest.nodes[id]); }))
      valuesPerPoint = std::max<int64_t>(valuesPerPoint, 1);
    operations = std::max<int64_t>(1, std::min<int64_t>(operations, nest.reductions.size()));
    std::optional<ByteDot> dot = schedule.dotDim ? matchByteDot(nest, schedule) : std::nullopt;
    if (dot && multipliesPairs(machine, *dot)) {
      operations = machine.byteProducts == ByteProducts::Pairs ? pairOperations : addedPairOperations;
      operationsPerLoad = registersPerOperand = 2;
      registersInBetween = 3;
    }
    bool isScaled = dot && dot->isScaled();
    if (isScaled) {
      // Integer sums are accumulated beside the float sums to which they are added. Bytes and the numbers extracted
      // from them are live at the same time.
      computed = std::ssize(dot->products);
      operations *= computed;
      operationsPerLoad = std::max<int64_t>(operationsPerLoad, 1);
      registersPerOperand = std::max<int64_t>(registersPerOperand, std::min<int64_t>(computed, 2));
      valuesPerPoint = 0;
    }
    for (NodeId id : loads)
      if (isPacked(id))
        packedTotal += static_cast<double>(bytesOf(nest.nodes[id].type)) * extentOf(nest.nodes[id].dependsOn);
    if (llvm::any_of(nest.computed(/*insideReduction=*/false),
                     [&](NodeId id) { return isLongFunction(nest.nodes[id]); }))
      spare = functionRegisters;
    isFar = rowDims == 0 && storesFar(nest, schedule, steps);
    readsFar = isFar && !isShort && readsVectorsFar(nest, schedule);
    accumulatorsPerPoint =
        nest.reductions.size() * (isScaled || (isSumOfFloats(nest) && readsNothingTwice(nest, rowDims)) ? 2 : 1);
  }

  double blockCycles(const Shape &shape) const {
    int64_t points = pointsOf(shape);
    double loaded = 0, spread = 0, prepared = 0, far = 0;
    for (NodeId id : preparations)
      prepared += preparedElements(id, shape) * preparationOperations(nest.nodes[id], machine);
    for (NodeId id : loads) {
      double elements = static_cast<double>(elementsOf(id, shape, unrolled)) / unrolledSteps;
      spread += spreads(id) ? elements : elements * shufflesOf(id);
      loaded += isShort && variesAlongVector(id) ? 0 : elements / stepsPerLoad(id);
      far += readsFar && variesAlongVector(id) ? elements : 0;
    }
    double perStep = std::max(
        {(points * operations + loaded * operationsPerLoad + spread + prepared) / unitsPerCycle + loaded * loadCycles,
         loaded / unitsPerCycle, isShort ? 0 : latencyCycles});
    perStep += far * farLoadCycles + static_cast<double>(lostLines(nest, schedule, shape.points, machine)) *
                                         lineCycles / static_cast<double>(unrolledSteps);
    // An operand that a row reads once is evicted from the first-level cache before the next row, for any block size.
    bool isReadOnce = passes(shape, rowDims) == 1 && packedTotal > firstLevelBytes;
    if (double bytes = bytesOfPass(shape); bytes > firstLevelBytes || isReadOnce || combinesLanes())
      perStep = std::max(perStep, bytes / static_cast<double>(steps) / steadyBytesPerCycle(machine));
    return steps * perStep + points * storeCyclesOf(shape) + (isShort ? 0 : blockOverheadCycles) + hoistedCycles(shape);
  }

  bool fitsRegisters(const Shape &shape) const {
    int64_t accumulators = accumulatorsPerPoint * pointsOf(shape), between = valuesPerPoint * pointsOf(shape), held = 0;
    bool isShared = !readsNothingTwice(nest, rowDims);
    if (isShort)
      return accumulators <= hidingSums &&
             steps * shape.points[*schedule.vectorDim] + accumulators + registersInBetween < machine.vectorRegisters;
    if (combinesLanes() && !isShared && accumulators > rowsAtOnce(nest, rowDims, schedule) * accumulatorsPerPoint)
      return false;
    if (isFar && !storesInTime(nest, schedule, pointsOf(shape)))
      return false;
    // Operands that several points of the block share stay in registers during one step. Of weights that a row uses
    // once, and of what no points share (pools), only one is live.
    for (NodeId id : loads)
      if (variesAlongVector(id)) {
        bool isUsedOnce =
            !isShared || (rowDims > 0 && isPacked(id) && loadsOf(id, shape) * accumulatorsPerPoint == accumulators);
        held = std::max(held, isUsedOnce ? 1 : std::min(loadsOf(id, shape), shape.points[*schedule.vectorDim]));
        held = std::max(held, vectorsOfSpread(id) * loadsOf(id, shape));
        // What no two points share is shuffled for all of them before it is combined, and parts of vectors that are put
        // together element by element take registers.
        double shuffles = shufflesOf(id);
        if (isShared ? shuffles > schedule.lanes && shape.points[*schedule.vectorDim] > 1
                     : shuffles > 0 && pointsOf(shape) > hidingSums)
          return false;
      }
    // If lanes are steps of the reduction, vectors differ from point to point: those of the innermost dimension of
    // points stay in registers for the other points, and the other factor is read from memory.
    if (combinesLanes())
      held = std::max<int64_t>(held, vectorsAlongLast(shape) - 1);
    // Elements that overlapping windows share stay in registers from one step to the next.
    for (NodeId id : loads) {
      // A load of factors for several steps stays in a register for all of them.
      if (lanesOf(id) > 1) {
        held += loadsOf(id, shape);
        continue;
      }
      llvm::SmallVector<int64_t, 8> shared = sharedSteps(nest, schedule, nest.nodes[id], shape.points, unrolled);
      if (int64_t elements = elementsOf(id, shape, shared); elements < loadsOf(id, shape) * stepsOf(id, shared))
        held += elements / stepsPerLoad(id);
    }
    // One register stays free, because the register allocator begins to spill at the limit.
    return accumulators + between + held * registersPerOperand + registersInBetween + spare < machine.vectorRegisters;
  }

  /// Whether unrolling keeps the code small if values are computed for every point and step: addresses of a deformed
  /// window take about sixty instructions that no neighbour shares, and remainders of dynamic sizes repeat them a dozen
  /// times.
  bool fitsCode(const Shape &shape) const {
    constexpr int64_t fewInstructions = 8, mostInstructions = 1024;
    int64_t copies = unrolledSteps * pointsOf(shape);
    return computed <= fewInstructions || copies * computed <= mostInstructions;
  }

  /// Whether the block of the vectorised operand and the next one stay in the second-level cache while the loops over
  /// the other dimensions of a row run.
  bool fitsCache(const Shape &shape) const {
    if (!schedule.vectorDim)
      return true;
    int64_t bytes = 0;
    for (NodeId id : loads)
      if (nest.nodes[id].type.isIntOrFloat() && variesAlongVector(id))
        bytes += steps * shape.points[*schedule.vectorDim] * vectorBytesOf(id);
    return passes(shape, rowDims) == 1 || bytes * 10 <= machine.l2Bytes * 3;
  }

  /// Returns the cycles for reading `vectors` vectors of the packed operands from memory, for one pass over the inner
  /// and outer dimension; other dimensions repeat it.
  double memoryCycles(int64_t vectors, uint64_t innerAndOuter) const {
    double bytes = 0;
    uint64_t varies = innerAndOuter;
    for (NodeId id : loads)
      if (isPacked(id)) {
        varies |= nest.nodes[id].dependsOn;
        bytes += static_cast<double>(vectors * vectorBytesOf(id) * steps) *
                 extentOf(nest.nodes[id].dependsOn & innerAndOuter);
      }
    uint64_t parallel = 0;
    for (auto [dim, dimension] : llvm::enumerate(nest.dims))
      parallel |= uint64_t(!dimension.reduction) << dim;
    return packedTotal <= machine.residentBytes() ? 0
                                                  : bytes / machine.memoryBytesPerCycle / extentOf(parallel & ~varies);
  }

private:
  static int64_t pointsOf(const Shape &shape) { return llvm::product_of(shape.points, int64_t(1)); }

  /// Returns how often the dimensions from `firstDim` on make the loops pass over a block of the vectorised operand.
  int64_t passes(const Shape &shape, unsigned firstDim) const {
    int64_t count = 1;
    for (unsigned dim = firstDim; dim < nest.dims.size(); ++dim)
      if (!nest.dims[dim].reduction && schedule.vectorDim != dim)
        count *= llvm::divideCeil(nest.dims[dim].extent, shape.points[dim]);
    return count;
  }

  bool variesAlongVector(NodeId id) const {
    return schedule.vectorDim && (nest.nodes[id].dependsOn >> *schedule.vectorDim) & 1;
  }

  /// Returns the cycles per block for broadcast elements that are kept around the loop over vectors. Without a loop
  /// over the reduction LLVM broadcasts them before that loop; those for which there are no registers lie on the stack.
  double hoistedCycles(const Shape &shape) const {
    constexpr double reloadCycles = 0.5, spillCycles = 2;
    if (!schedule.vectorDim || nest.dims[*schedule.vectorDim].reduction || schedule.dotDim || unrolledSteps != steps ||
        isShort)
      return 0;
    int64_t vectors = shape.points[*schedule.vectorDim], broadcast = 0, held = vectors,
            blocks = llvm::divideCeil(nest.dims[*schedule.vectorDim].extent, vectors * schedule.lanes);
    for (NodeId id : loads)
      if (((nest.nodes[id].dependsOn >> *schedule.vectorDim) & 1) == 0)
        broadcast += loadsOf(id, shape) * steps;
      else
        held = std::max(held, vectorsOfSpread(id) * loadsOf(id, shape));
    auto spilled = static_cast<double>(
        std::max<int64_t>(0, broadcast + pointsOf(shape) * accumulatorsPerPoint + held - machine.vectorRegisters));
    return blocks > 1 ? spilled * (reloadCycles + spillCycles / static_cast<double>(blocks)) : 0;
  }

  /// Computes the number of unrolled steps that the innermost reduction loops leave.
  void findUnrolled() {
    for (const Dimension &dim : nest.dims)
      unrolled.push_back(dim.reduction ? int64_t(dim.extent) : 1);
    for (const Loop &loop : schedule.loops)
      unrolled[loop.dim] = std::min(unrolled[loop.dim], loop.size);
    if (schedule.vectorDim)
      unrolled[*schedule.vectorDim] = 1;
    if (schedule.dotDim)
      unrolled[*schedule.dotDim] = llvm::divideCeil(unrolled[*schedule.dotDim], dotGroup);
    for (int64_t count : unrolled)
      unrolledSteps *= count;
  }

  /// Collects the operations on operands that several points share. A product is part of the multiply-add of each
  /// point, and indices are computed elsewhere.
  void findPreparations() {
    uint64_t parallel = 0;
    for (auto [dim, dimension] : llvm::enumerate(nest.dims))
      parallel |= uint64_t(!dimension.reduction && dimension.extent != 1) << dim;
    for (NodeId id : nest.computed(/*insideReduction=*/true)) {
      const Node &node = nest.nodes[id];
      if (node.kind == Node::Kind::Apply && !node.usesAccumulator && !node.type.isIndex() &&
          (parallel & ~node.dependsOn) != 0)
        preparations.push_back(id);
    }
  }

  /// Returns how often a step computes preparation `id`. What overlapping windows of unrolled steps share is converted
  /// once.
  double preparedElements(NodeId id, const Shape &shape) const {
    llvm::ArrayRef<NodeId> operands = nest.nodes[id].operands;
    if (operands.size() != 1 || nest.nodes[operands[0]].kind != Node::Kind::Load)
      return static_cast<double>(loadsOf(id, shape));
    return static_cast<double>(elementsOf(operands[0], shape, unrolled)) / static_cast<double>(unrolledSteps);
  }

  /// Returns the number of those `steps` (per dimension) on which a load depends.
  int64_t stepsOf(NodeId id, llvm::ArrayRef<int64_t> steps) const {
    int64_t count = 1;
    for (auto [dim, size] : llvm::enumerate(steps))
      if ((nest.nodes[id].dependsOn >> dim) & 1)
        count *= size;
    return count;
  }

  /// Returns the number of different elements (vectors along the vector dimension) that a load reads for a block in
  /// `steps`.
  int64_t elementsOf(NodeId id, const Shape &shape, llvm::ArrayRef<int64_t> steps) const {
    const Node &node = nest.nodes[id];
    int64_t all = loadsOf(id, shape) * stepsOf(id, steps);
    if (node.kind != Node::Kind::Load || isPacked(id) || all == loadsOf(id, shape))
      return all;
    llvm::SmallVector<int64_t, 8> counts;
    for (auto [points, count] : llvm::zip(shape.points, steps))
      counts.push_back(points * count);
    bool isVector = schedule.vectorDim && node.address.dependsOn(*schedule.vectorDim);
    return (isVector ? counts[*schedule.vectorDim] : 1) * std::ssize(addressesOf(nest, schedule, node, counts));
  }

  /// Whether a vector of the load is assembled from a few shared elements.
  bool spreads(NodeId id) const {
    const Node &node = nest.nodes[id];
    return node.shared && variesAlongVector(id) && node.shared->length < schedule.lanes;
  }

  /// Returns the number of instructions beside a load for a vector whose elements are apart.
  double shufflesOf(NodeId id) const {
    bool isLoaded = schedule.vectorDim && !isPacked(id);
    return isLoaded ? instructionsBesideLoad(nest, nest.nodes[id], *schedule.vectorDim, schedule.lanes, rowDims) : 0;
  }

  /// Returns the cycles for storing a vector of results: lane by lane if others lie between that another block has.
  double storeCyclesOf(const Shape &shape) const {
    double cycles = storeCycles;
    for (const Output &output : nest.outputs)
      if (std::optional<unsigned> dim =
              schedule.vectorDim ? interleavedDim(nest, output, *schedule.vectorDim) : std::nullopt;
          dim && shape.points[*dim] < nest.dims[*dim].extent)
        cycles = std::max(cycles, static_cast<double>(schedule.lanes));
    return cycles;
  }

  /// Returns the number of vectors out of which several unrolled steps of the load are shuffled; 0: each has its own.
  int64_t vectorsOfSpread(NodeId id) const {
    const Node &node = nest.nodes[id];
    std::optional<unsigned> dim =
        isPacked(id) ? std::nullopt : dimBetweenLanes(nest, node, *schedule.vectorDim, schedule.lanes);
    return dim && unrolled[*dim] > 1 ? std::abs(int64_t(node.address.coefficients[*schedule.vectorDim])) : 0;
  }

  /// Returns the number of reduction steps that one load serves.
  int64_t stepsPerLoad(NodeId id) const { return spreads(id) ? nest.nodes[id].shared->length : lanesOf(id); }

  /// Returns the number of steps that each use one lane of a load.
  int64_t lanesOf(NodeId id) const {
    std::optional<FactorLanes> lanes = factorLanes(nest, schedule, machine, id);
    return lanes ? lanes->steps : 1;
  }

  bool isPacked(NodeId id) const {
    return variesAlongVector(id) && llvm::is_contained(schedule.packedBuffers, nest.nodes[id].buffer);
  }

  /// Returns the bytes that one step of the reduction reads for a vector of points.
  int64_t vectorBytesOf(NodeId id) const {
    return schedule.lanes * bytesOf(nest.nodes[id].type) *
           (schedule.dotDim && (nest.nodes[id].dependsOn >> *schedule.dotDim) & 1 ? dotGroup : 1);
  }

  /// Returns the number of points of the dimensions in `dims` (a bit mask).
  double extentOf(uint64_t dims) const {
    double extent = 1;
    for (auto [dim, dimension] : llvm::enumerate(nest.dims))
      if ((dims >> dim) & 1)
        extent *= static_cast<double>(dimension.extent);
    return extent;
  }

  /// Returns the bytes of the vectors that each pass over a block reads, packed or where they lie.
  double bytesOfPass(const Shape &shape) const {
    double bytes = 0;
    if (combinesLanes()) {
      llvm::SmallVector<BlockOperand> operands;
      for (NodeId id : loads)
        operands.push_back({nest.nodes[id].dependsOn, loadsOf(id, shape) * vectorBytesOf(id) * steps});
      return static_cast<double>(bytesReadAgain(nest, operands, shape.points, innerDim, outerDim, machine.l1Bytes));
    }
    for (NodeId id : loads)
      bytes += static_cast<double>(
          loadsOf(id, shape) * vectorBytesOf(id) *
          (isPacked(id) ? steps : rowsReadAgain(nest, rowDims, schedule, nest.nodes[id], shape.points)));
    return bytes;
  }

  /// Whether lanes are steps of the reduction, so that both operands of a product are vectors.
  bool combinesLanes() const { return schedule.vectorDim && nest.dims[*schedule.vectorDim].reduction; }

  /// Returns the number of elements of the reduction `dim` in a step.
  int64_t stepOf(unsigned dim) const {
    return schedule.dotDim == dim ? dotGroup : schedule.vectorDim == dim ? int64_t(schedule.lanes) : 1;
  }

  /// Returns the number of loads that vary along the last dimension with several points of the block, if other points
  /// share them.
  int64_t vectorsAlongLast(const Shape &shape) const {
    unsigned last = shape.points.size();
    while (last > 0 && shape.points[last - 1] == 1)
      --last;
    int64_t vectors = 0, points = pointsOf(shape);
    for (NodeId id : loads)
      if (last > 0 && (nest.nodes[id].dependsOn >> (last - 1)) & 1 && loadsOf(id, shape) < points)
        vectors = std::max(vectors, loadsOf(id, shape));
    return vectors;
  }

  int64_t loadsOf(NodeId id, const Shape &shape) const {
    int64_t count = 1;
    for (unsigned dim = 0; dim < shape.points.size(); ++dim)
      if ((nest.nodes[id].dependsOn >> dim) & 1)
        count *= shape.points[dim];
    return count;
  }

  const LoopNest &nest;
  unsigned rowDims;
  const NestSchedule &schedule;
  std::optional<unsigned> innerDim, outerDim; ///< the innermost loops over points
  const Machine &machine;
  bool isShort = isShortProduct(nest, schedule, machine), isFar = false, readsFar = false;
  llvm::SmallVector<NodeId> loads, preparations;
  llvm::SmallVector<int64_t, 8> unrolled; ///< per dimension
  static constexpr int64_t fewSteps = 4;  ///< limit of operations between a load and the sum: conversions, or a product
  int64_t spare = 0, valuesPerPoint = 0;  ///< registers
  int64_t unrolledSteps = 1, steps = 1, operations = 1, computed = 0, accumulatorsPerPoint = 1;
  int64_t operationsPerLoad = 0, registersPerOperand = 1, registersInBetween = 1;
  double packedTotal = 0; ///< bytes of all packed operands
};

} // namespace

RegisterTile chooseRegisterTile(const LoopNest &nest, unsigned rowDims, const NestSchedule &partial,
                                std::optional<unsigned> innerDim, std::optional<unsigned> outerDim,
                                const Machine &machine, llvm::function_ref<bool(int64_t)> isTakenInParts) {
  Model model(nest, rowDims, partial, innerDim, outerDim, machine);
  bool vectorised = partial.vectorDim && !nest.dims[*partial.vectorDim].reduction;
  int64_t vectorExtent =
      vectorised ? llvm::divideCeil(nest.dims[*partial.vectorDim].extent, int64_t(partial.lanes)) : 1;
  int64_t innerExtent = innerDim ? int64_t(nest.dims[*innerDim].extent) : 1;
  int64_t outerExtent = outerDim ? int64_t(nest.dims[*outerDim].extent) : 1;
  bool hasNoEqualParts = llvm::all_of(llvm::seq(2, 7), [&](int64_t size) { return innerExtent % size != 0; });
  // The last block along a dynamic extent computes all of its lanes, half of them for nothing.
  bool endsAnywhere = rowDims > 0 && vectorised && !nest.dims[*partial.vectorDim].extent.isKnown();
  RegisterTile best;
  auto consider = [&](const RegisterTile &tile) {
    Shape shape;
    shape.points.assign(nest.dims.size(), 1);
    auto at = [&](int64_t vectors, int64_t inner, int64_t outer) {
      if (vectorised)
        shape.points[*partial.vectorDim] = vectors;
      if (innerDim)
        shape.points[*innerDim] = inner;
      if (outerDim)
        shape.points[*outerDim] = outer;
      return model.blockCycles(shape);
    };
    uint64_t innerAndOuter = (innerDim ? uint64_t(1) << *innerDim : 0) | (outerDim ? uint64_t(1) << *outerDim : 0);
    at(tile.vectors, tile.inner, tile.outer);
    if (!(model.fitsRegisters(shape) && model.fitsCode(shape)) &&
        (tile.vectors > 1 || tile.inner > 1 || tile.outer > 1))
      return false;
    if (tile.vectors > 1 && !model.fitsCache(shape) && !isTakenInParts(tile.vectors))
      return false;
    double cycles = 0;
    for (const Segment &v : divide(vectorExtent, tile.vectors, /*even=*/false)) {
      double run = 0;
      for (const Segment &i : divide(innerExtent, tile.inner, /*even=*/true))
        for (const Segment &o : divide(outerExtent, tile.outer, /*even=*/true))
          run += static_cast<double>(i.count * o.count) * at(v.size, i.size, o.size);
      double memory = model.memoryCycles(v.size, innerAndOuter);
      // Memory reads and arithmetic overlap, but not completely.
      cycles += static_cast<double>(v.count) * (std::max(run, memory) + std::min(run, memory) / 4);
    }
    cycles *= 1 + (endsAnywhere ? static_cast<double>(tile.vectors - 1) / 2 / static_cast<double>(vectorExtent) : 0);
    if (best.cycles == 0 || cycles <= best.cycles)
      best = {tile.vectors, tile.inner, tile.outer, cycles};
    return true;
  };
  OperandTraffic operands(nest, partial);
  bool sharesAlongInner = !vectorised || !innerDim || operands.sharesAlong(*innerDim);
  for (int64_t vectors = 1; vectors <= std::min<int64_t>(vectorExtent, machine.vectorRegisters); ++vectors)
    for (int64_t inner = 1; inner <= std::min<int64_t>(innerExtent, machine.vectorRegisters); ++inner) {
      // Pieces of several rows that share nothing are as many streams.
      if (inner > 1 && vectors < vectorExtent && !sharesAlongInner)
        break;
      if (!consider({vectors, inner, 1}))
        break;
      // Consider a second dimension only if the first one is taken whole, for example rows of 7 pixels two at a time.
      // If lanes are steps of the reduction, both operands of a product are read as vectors, so a divisor of the first
      // extent is as good, or any part of an extent without small divisors.
      bool isWhole =
          inner == innerExtent || (partial.vectorDim && !vectorised && (innerExtent % inner == 0 || hasNoEqualParts));
      for (int64_t outer = 2; isWhole && outer <= outerExtent; ++outer)
        if (!consider({vectors, inner, outer}))
          break;
    }
  return best;
}

} // namespace cameo::schedule
