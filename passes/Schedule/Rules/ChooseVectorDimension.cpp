// Chooses the vector dimension: its neighbours are contiguous in stores and loads, or can be packed beforehand.
#include "passes/Schedule/Rules/CacheModel.h"
#include "passes/Schedule/Rules/DefaultSchedule.h"
#include "passes/Schedule/Rules/ElementwiseBlock.h"
#include "passes/Schedule/Rules/FactorLanes.h"
#include "passes/Schedule/Rules/NestCost.h"
#include "passes/Schedule/Rules/Operands/LayOutOperand.h"

#include "passes/Schedule/Nests/Combiner.h"
#include "passes/Schedule/Nests/FlattenedRows.h"
#include "passes/Schedule/Nests/TransposedLoads.h"

#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace mlir;

namespace cameo::schedule {

int64_t bytesOf(Type type) { return type.isIndex() ? 8 : std::max<int64_t>(1, type.getIntOrFloatBitWidth() / 8); }

int64_t vectorElementBytes(const LoopNest &nest, unsigned dim) {
  int64_t bytes = 1;
  for (const Node &node : nest.nodes)
    if (!node.type.isIndex() && ((node.dependsOn >> dim) & 1 || node.usesAccumulator))
      bytes = std::max(bytes, bytesOf(node.type));
  for (const Output &output : nest.outputs)
    bytes = std::max(bytes, bytesOf(nest.nodes[output.value].type));
  return bytes;
}

double shareOfSteps(const LoopNest &nest, int64_t lanes, const Machine &machine) {
  constexpr double vectorsToAddUp = 4;
  double most = 0.9;
  if (multipliesByLanes(machine)) // points as lanes need fewer loads
    most = 0.8;
  else if (machine.multiplyAdds < 2) // it runs twice as many multiply-adds of half vectors
    most = llvm::count_if(nest.dims, std::mem_fn(&Dimension::reduction)) > 1 ? 0.5 : 0.75;
  double vectors = 1 / static_cast<double>(lanes);
  for (const Dimension &dimension : nest.dims)
    if (dimension.reduction)
      vectors *= static_cast<double>(dimension.extent);
  return most * vectors / (vectors + vectorsToAddUp);
}

namespace {

/// A place that is computed as a lane is extracted.
constexpr double instructionsPerPlace = 1;

/// Returns the number of instructions for an element that is loaded or stored on its own, and also inserted into a
/// vector or extracted. A bit is shifted to its place in a mask.
double instructionsPerLane(Type type) { return type.isInteger(1) ? 6 : 2; }

class DimensionChooser {
public:
  DimensionChooser(const TaskProgram &program, const LoopNest &nest, unsigned rowDims, const Machine &machine)
      : program(program), nest(nest), rowDims(rowDims), machine(machine), inner(nest.loads(true)),
        outer(nest.loads(false)) {}

  /// Returns the points per instruction along the best dimension of a nest without a reduction.
  double pointsPerInstruction() const {
    double most = 0;
    for (unsigned dim = rowDims; dim < nest.dims.size(); ++dim)
      if (!nest.dims[dim].reduction)
        most = std::max(most, scoreParallel(dim));
    return most;
  }

  void choose(NestSchedule &schedule) const {
    double bestScore = 0;
    for (unsigned dim = rowDims; dim < nest.dims.size(); ++dim) {
      double score = nest.dims[dim].reduction ? scoreReduction(dim) : scoreParallel(dim);
      // Later dimensions have smaller strides: prefer them if scores are equal.
      if (score > 0 && score >= bestScore) {
        bestScore = score;
        schedule.vectorDim = dim;
      }
    }
    if (schedule.vectorDim && walksTables(nest, *schedule.vectorDim))
      schedule.vectorDim.reset();
    fillResults(schedule);
    if (!schedule.vectorDim)
      return;
    schedule.lanes = lanesAlong(*schedule.vectorDim);
    if (schedule.lanes < 2)
      schedule = NestSchedule();
    else
      choosePacking(schedule);
  }

  NestSchedule along(unsigned dim) const {
    NestSchedule schedule;
    schedule.vectorDim = dim;
    schedule.lanes = lanesAlong(dim);
    choosePacking(schedule);
    return schedule;
  }

  /// Returns vectors of the steps of a product along its best reduction, if the vectors of `chosen` leave lanes empty.
  std::optional<NestSchedule> chooseSteps(const NestSchedule &chosen) const {
    constexpr double mostlyFull = 0.8;
    if (!nest.hasKnownSizes() || multipliesByLanes(machine) || !chosen.vectorDim ||
        nest.dims[*chosen.vectorDim].reduction || fill(*chosen.vectorDim) > mostlyFull)
      return std::nullopt;
    std::optional<unsigned> best;
    double bestScore = 0;
    for (auto [dim, dimension] : llvm::enumerate(nest.dims))
      if (dimension.reduction && dimension.extent >= maxLanes(dim) && multipliesVectors(dim))
        if (double score = scoreReduction(dim); score >= bestScore && score > 0)
          bestScore = score, best = dim;
    return best ? std::optional(along(*best)) : std::nullopt;
  }

private:
  int64_t maxLanes(unsigned dim) const { return machine.vectorBytes / vectorElementBytes(nest, dim); }
  int64_t lanesAlong(unsigned dim) const {
    return std::min<int64_t>(maxLanes(dim), llvm::PowerOf2Ceil(pointsAlong(dim)));
  }
  /// Most runs have more points of a dynamic number than lanes.
  int64_t pointsAlong(unsigned dim) const {
    return std::max<int64_t>(nest.dims[dim].extent, nest.dims[dim].extent.isKnown() ? 0 : maxLanes(dim));
  }

  /// Returns the share of lanes that `dim` fills.
  double fill(unsigned dim) const { return pointsPerVector(dim, maxLanes(dim)) / static_cast<double>(maxLanes(dim)); }

  /// Whether windows of the points overlap, so that a packed operand would hold elements several times.
  bool hasOverlaps(const Node &node) const {
    double points = 1;
    for (auto [dim, dimension] : llvm::enumerate(nest.dims))
      if ((node.dependsOn >> dim) & 1)
        points *= static_cast<double>(dimension.extent);
    return node.transforms.empty() && points > elementsAt(nest, node.address);
  }

  /// Whether the constant is packed: in reductions for the loops, elsewhere if it is not contiguous along `dim`.
  bool isPackable(const Node &node, unsigned dim) const {
    bool fitsLoops = nest.hasReduction() && !nest.dims[dim].reduction && !hasOverlaps(node);
    return node.kind == Node::Kind::Load && !node.shared && program.buffers[node.buffer].packable &&
           (fitsLoops || node.address.coefficients[dim] != 1) && hasKnownRange(nest, node) &&
           (!nest.dims[dim].reduction || node.transforms.empty());
  }

  /// Returns 1 if a load of a reduction is one vector or one scalar, less if it takes an instruction per lane, a copy
  /// beforehand or several vectors.
  double scoreLoad(NodeId id, unsigned dim) const {
    const Node &node = nest.nodes[id];
    for (NodeId operand : node.operands)
      if ((nest.nodes[operand].dependsOn >> dim) & 1)
        return 0.2;
    const Size &stride = node.address.coefficients[dim];
    if (stride == 0 || stride == 1 || isPackable(node, dim))
      return 1;
    // Less than a reduction with full vectors has.
    return isSpread(node, dim, maxLanes(dim)) ? 0.3 : 0.2;
  }

  /// Returns how often each element that packing at run time would copy is used.
  double reuse(const Node &node) const {
    double uses = 1;
    for (auto [dim, dimension] : llvm::enumerate(nest.dims))
      if (!dimension.reduction && !((node.dependsOn >> dim) & 1))
        uses *= dimension.extent;
    return uses;
  }

  /// Returns how many steps the reductions of a point have.
  double countSteps() const {
    double steps = 1;
    for (const Dimension &dimension : nest.dims)
      if (dimension.reduction)
        steps *= static_cast<double>(dimension.extent);
    return steps;
  }

  /// Those of doubles are no functions of vectors.
  bool hasLongFunctionOfResult(bool inVectors = false) const {
    return llvm::any_of(nest.computed(/*insideReduction=*/false), [&](NodeId id) {
      return isFunctionOfResult(id) && !(inVectors && nest.nodes[id].type.isF64());
    });
  }

  /// Whether strided lanes are put together for so many points that their sums in lanes pay. With lanes for the steps
  /// each result is a number of its own, and so is its long function, which takes as long as many steps.
  bool isUsedOften(const Node &node) const {
    constexpr double leastUses = 8, leastOfFunctions = 4, stepsPerUse = 20;
    double uses = reuse(node);
    return uses >= leastUses ||
           (uses >= leastOfFunctions && hasLongFunctionOfResult() && countSteps() <= stepsPerUse * uses);
  }

  /// Returns the score of a load of spread elements in a reduction. The points of a block that multiply the same vector
  /// share the instructions that shuffle it.
  double scoreShared(const Node &node, unsigned dim) const {
    constexpr double shufflesPerCycle = 2;
    std::optional<int64_t> instructions = instructionsOfSpread(node.address.coefficients[dim], maxLanes(dim));
    return reuse(node) > 1 && isSpread(node, dim, maxLanes(dim))
               ? 1 / (1 + static_cast<double>(*instructions) / (shufflesPerCycle * reuse(node)))
               : 0;
  }

  /// Returns the share of a reduction's time that its steps take if each result is stored on its own, an instruction
  /// per lane. Full vectors for which results are stored so and operands are packed at run time count less than vectors
  /// of half the lanes.
  double stridedStoreScore(unsigned dim) const {
    constexpr double least = 0.5, most = 0.65;
    double vectorSteps = countSteps() / static_cast<double>(maxLanes(dim));
    return std::clamp(vectorSteps / (vectorSteps + 1), least, most);
  }

  /// Returns the share of a reduction's time that its steps take besides storing a vector of results along `dim`.
  double storeScore(const Output &output, unsigned dim) const {
    constexpr double interleaved = 0.9;
    if (output.address.coefficients[dim] == 1)
      return 1;
    return interleavedDim(nest, output, dim) ? interleaved : stridedStoreScore(dim);
  }

  /// Returns the number of instructions that store a vector of results along `dim`.
  double storeInstructions(const Output &output, unsigned dim, int64_t lanes) const {
    if (output.address.coefficients[dim] == 1)
      return 1;
    return interleavedDim(nest, output, dim)
               ? 2
               : instructionsPerLane(nest.nodes[output.value].type) * static_cast<double>(lanes);
  }

  /// Returns the number of points of a vector along `dim`, of which the last one may have fewer.
  double pointsPerVector(unsigned dim, int64_t lanes) const {
    return static_cast<double>(pointsAlong(dim)) / static_cast<double>(llvm::divideCeil(pointsAlong(dim), lanes));
  }

  /// Returns the number of instructions that load a vector along `dim`.
  double loadInstructions(NodeId id, unsigned dim, int64_t lanes) const {
    const Node &node = nest.nodes[id];
    const Size &stride = node.address.coefficients[dim];
    if (std::optional<double> rows = instructionsOfRows(nest, node, dim, lanes))
      return *rows;
    if (llvm::any_of(node.operands, [&](NodeId operand) { return (nest.nodes[operand].dependsOn >> dim) & 1; }))
      return (instructionsPerPlace + instructionsPerLane(node.type)) * pointsPerVector(dim, lanes);
    if (stride == 0 || stride == 1 || isPackable(node, dim))
      return 1;
    if (isSpread(node, dim, lanes))
      return static_cast<double>(*instructionsOfSpread(stride, lanes));
    if (std::optional<unsigned> along = transposedDim(nest, node, dim, lanes, rowDims))
      return transposedInstructions(nest.dims[*along].extent, std::min(lanes, maxTransposedLanes));
    return instructionsPerLane(node.type) * static_cast<double>(lanes);
  }

  /// Returns the number of instructions for each of `vectors` vectors that squares of `lanes` of them transpose: a load
  /// and a shuffle for each halving of the square. The last square is shuffled as a whole for fewer vectors.
  static double transposedInstructions(int64_t vectors, int64_t lanes) {
    double share = static_cast<double>(llvm::alignTo(vectors, lanes)) / static_cast<double>(vectors);
    return (1 + llvm::Log2_64_Ceil(lanes)) * share;
  }

  /// Returns the number of points of a nest without a reduction that an instruction computes.
  double scoreElementwise(unsigned dim) const {
    int64_t lanes = lanesAlong(dim);
    double instructions = 0;
    for (auto [id, node] : llvm::enumerate(nest.nodes))
      if (node.kind == Node::Kind::Apply && !rowNumber(nest, static_cast<NodeId>(id)))
        instructions += isLongFunction(node) ? longFunctionInstructions : 1;
    for (NodeId id : outer)
      instructions += loadInstructions(id, dim, lanes);
    for (const Output &output : nest.outputs)
      instructions += storeInstructions(output, dim, lanes);
    return pointsPerVector(dim, lanes) / instructions;
  }

  /// Whether an operand stays untransformed: filters of Winograd's method are transformed where they are packed.
  bool leavesUntransformed(unsigned dim) const {
    return !llvm::all_of(inner, [&](NodeId id) { return canPackTransformed(nest.nodes[id], dim); });
  }

  /// Whether sums of more than a vector of steps fill at most an eighth of the lanes along `dim`.
  bool fillsFew(unsigned dim) const { return fill(dim) <= 0.125 && countSteps() >= static_cast<double>(maxLanes(dim)); }

  double scoreParallel(unsigned dim) const {
    if (nest.dims[dim].extent < 2 || leavesUntransformed(dim))
      return 0;
    if (!nest.hasReduction())
      return scoreElementwise(dim);
    // Empty lanes cost in every step of a reduction; a strided result is stored only once after it.
    constexpr double ofEmptyLanes = 0.25, ofMostlyEmpty = 0.15;
    double score = (fillsFew(dim) ? ofMostlyEmpty : ofEmptyLanes) + 0.75 * fill(dim);
    for (NodeId id : inner) {
      double load = scoreLoad(id, dim);
      if (load < 1 && isUsedOften(nest.nodes[id]) && canPackAtRunTime(nest.nodes[id]))
        load = 0.9;
      else if (load < 1)
        load = std::max(load, scoreShared(nest.nodes[id], dim));
      score *= load;
    }
    for (NodeId id : outer)
      score *= 0.8 + 0.2 * scoreLoad(id, dim);
    for (const Output &output : nest.outputs)
      score *= storeScore(output, dim);
    return score;
  }

  /// Whether the points of a block share the load, so that an instruction per lane counts little.
  bool isSharedByPoints(const Node &node) const { return node.operands.empty() && reuse(node) >= 8; }

  /// Whether both operands are shared among points of a block, and each is one vector load along `dim`, or a few that
  /// many points share. Bytes are summed in groups instead.
  bool multipliesVectors(unsigned dim) const {
    return inner.size() == 2 && nest.reductions.size() == 1 &&
           isa<FloatType>(nest.nodes[nest.reductions.front().update].type) && llvm::all_of(inner, [&](NodeId id) {
             const Node &node = nest.nodes[id];
             bool isFew = scoreLoad(id, dim) == 1 || (isSharedByPoints(node) && isSpread(node, dim, maxLanes(dim)));
             return node.address.dependsOn(dim) && reuse(node) > 1 && isFew;
           });
  }

  /// Returns the share of a row's time that is not for what lanes along `dim` do for each result on its own: a long
  /// function, or the operations of maxima, which are more than one, and of floats mind NaN.
  double shareBesideResults(unsigned dim) const {
    constexpr double vectorsOfFunction = 0.3, ofMaxima = 0.9, ofFloatMaxima = 0.85, ofDoubleMaxima = 0.72;
    double vectors = static_cast<double>(llvm::divideCeil(pointsAlong(dim), maxLanes(dim)));
    if (hasLongFunctionOfResult())
      return vectors / (vectors + vectorsOfFunction);
    bool isSum = llvm::all_of(nest.reductions, [&](const Reduction &reduction) {
      return isa<arith::AddFOp, arith::AddIOp>(nest.nodes[reduction.update].op);
    });
    if (isSum)
      return 1;
    Type type = nest.nodes[nest.reductions.front().update].type;
    return type.isF64() ? ofDoubleMaxima : isa<FloatType>(type) ? ofFloatMaxima : ofMaxima;
  }

  /// Whether node `id` is a long function of a result.
  bool isFunctionOfResult(NodeId id) const { return nest.nodes[id].usesAccumulator && isLongFunction(nest.nodes[id]); }

  /// Whether each of few steps selects several results, as a value and its place, in few lanes along `dim`.
  bool selectsInFewLanes(unsigned dim) const {
    return nest.reductions.size() > 1 && fill(dim) <= 0.25 && countSteps() <= 32 &&
           !nest.nodes[inner.front()].type.isF16() && !nest.nodes[inner.front()].type.isBF16();
  }

  /// Returns the results per instruction with lanes along `dim`: of steps, long functions and stores.
  double resultsPerInstruction(unsigned dim) const {
    int64_t lanes = lanesAlong(dim);
    double steps = countSteps(), instructions = 0;
    for (NodeId id : inner)
      instructions += steps * loadInstructions(id, dim, lanes);
    if (nest.reductions.size() > 1)
      instructions += steps * static_cast<double>(nest.computed(/*insideReduction=*/true).size());
    for (NodeId id : nest.computed(/*insideReduction=*/false))
      instructions += isFunctionOfResult(id) ? longFunctionInstructions : 0;
    for (const Output &output : nest.outputs)
      instructions += storeInstructions(output, dim, lanes);
    return pointsPerVector(dim, lanes) / instructions;
  }

  /// Takes another dimension if what takes as long for few lanes as for all (long functions of short sums, selections)
  /// is then worth loads of single elements.
  void fillResults(NestSchedule &schedule) const {
    constexpr double worthwhile = 1.15;
    if (!nest.hasReduction() || !nest.hasKnownSizes() || !schedule.vectorDim || inner.size() != 1 ||
        nest.dims[*schedule.vectorDim].reduction ||
        !(selectsInFewLanes(*schedule.vectorDim) || (rowDims == 0 && hasLongFunctionOfResult(/*inVectors=*/true))))
      return;
    double best = worthwhile * resultsPerInstruction(*schedule.vectorDim);
    for (unsigned dim = rowDims; dim < nest.dims.size(); ++dim)
      if (double results = nest.dims[dim].reduction ? 0 : resultsPerInstruction(dim); results > best)
        best = results, schedule.vectorDim = dim;
  }

  double scoreReduction(unsigned dim) const {
    for (unsigned number = 0; number < nest.reductions.size(); ++number)
      if (!matchCombiner(nest, number) || nest.nodes[nest.reductions[number].update].type.isInteger(1))
        return 0;
    // What is not multiplied has loads for each step. Rows beside each other are combined in one.
    constexpr double leastOfVector = 0.27, leastOfVectors = 0.3, mostOfAnySum = 0.35;
    double least = nest.dims[dim].extent > maxLanes(dim) ? leastOfVectors : leastOfVector;
    double steps = shareOfSteps(nest, maxLanes(dim), machine), share = std::clamp(steps, least, mostOfAnySum);
    if (multipliesVectors(dim))
      share = std::max(mostOfAnySum, steps);
    double score = share * (0.5 + 0.5 * fill(dim)) * shareBesideResults(dim);
    for (NodeId id : inner) {
      double load = scoreLoad(id, dim);
      score *= load < 1 && isSharedByPoints(nest.nodes[id]) ? 0.7 : load;
    }
    return nest.dims[dim].extent < 4 ? 0 : score;
  }

  /// Whether `node` reads a constant in a range known at run time only. Constants are packed at compile time or not at
  /// all.
  bool isConstantOfCountedRange(const Node &node) const {
    return program.buffers[node.buffer].packable && !hasKnownRange(nest, node);
  }

  bool canPackAtRunTime(const Node &node) const {
    auto isThis = [&](const LoopNest &other) { return &other == &nest; };
    return node.kind == Node::Kind::Load && !node.shared && !isConstantOfCountedRange(node) &&
           llvm::none_of(program.groups, [&](const NestGroup &group) {
             return llvm::any_of(group.nests, isThis) && group.writes(node.buffer);
           });
  }

  /// Returns the bytes between two rows of a matrix that is read where it lies, as far as they decide which sets of a
  /// cache the lines of a column share: pages lie anywhere, so only places in a page count.
  int64_t bytesApart(const Node &node) const {
    int64_t apart = pageBytes;
    for (auto [dim, dimension] : llvm::enumerate(nest.dims))
      if (int64_t stride = std::abs(int64_t(node.address.coefficients[dim])); dimension.reduction && stride != 0)
        apart = std::gcd(apart, stride * bytesOf(node.type));
    return apart;
  }

  /// Returns how often a copy of a matrix that could be read where it lies has to be used. The lines of one of its
  /// columns do not fit a cache if their distance is a multiple of a large power of two. Blocks of integer products are
  /// smaller, because products are no multiply-adds, so they read each column more often.
  std::optional<double> leastUsesOfCopy(const Node &node) const {
    constexpr double beyondSecondLevel = 48, ofIntegers = 24, ofAny = 200;
    if (rowDims > 0 || !nest.hasKnownSizes())
      return std::nullopt;
    int64_t rows = 1, apart = bytesApart(node);
    for (auto [dim, dimension] : llvm::enumerate(nest.dims))
      if (dimension.reduction && node.address.dependsOn(dim))
        rows *= dimension.extent;
    std::optional<double> least;
    auto allow = [&](bool collides, double uses) {
      if (collides)
        least = std::min(uses, least.value_or(uses));
    };
    allow(rows * apart > machine.l2Bytes, beyondSecondLevel);
    bool collidesNearby = rows * apart > machine.l1Bytes, isInteger = node.type.isInteger();
    allow(collidesNearby && apart == pageBytes, isInteger ? ofIntegers : ofAny);
    allow(collidesNearby && apart == pageBytes / 2 && isInteger, ofAny);
    return least;
  }

  /// Whether a copy of what `node` reads along the vector dimension `dim` of a reduction is worth making at run time.
  bool isWorthCopying(const Node &node, unsigned dim) const {
    if (!nest.hasReduction() || nest.dims[dim].reduction || !canPackAtRunTime(node))
      return false;
    std::optional<double> least = leastUsesOfCopy(node);
    bool isOften = node.address.coefficients[dim] != 1 ? isUsedOften(node) : least && reuse(node) >= *least;
    return isOften && !isReadByOneBlock(node, dim);
  }

  /// Whether a block has all points that multiply a strided vector along `dim`, so that it is put together once as for
  /// a copy, and the lines of its lanes and of the points' factors stay in the first-level cache for the next steps.
  bool isReadByOneBlock(const Node &node, unsigned dim) const {
    constexpr int64_t otherRegisters = 4;
    int64_t way = machine.l1WayBytes(), shared = 0;
    for (auto [other, dimension] : llvm::enumerate(nest.dims))
      shared += !dimension.reduction && dimension.extent != 1 && !node.address.dependsOn(other);
    if (!nest.hasKnownSizes() || node.address.coefficients[dim] == 1 || shared > 1 ||
        reuse(node) > static_cast<double>(machine.vectorRegisters - otherRegisters))
      return false;
    int64_t apart = std::abs(int64_t(node.address.coefficients[dim])) * bytesOf(node.type);
    return static_cast<double>(way / std::gcd(apart, way) * machine.l1Ways) >=
           static_cast<double>(maxLanes(dim)) + reuse(node);
  }

  void choosePacking(NestSchedule &schedule) const {
    for (NodeId id : nest.hasReduction() ? inner : outer) {
      const Node &node = nest.nodes[id];
      bool varies = node.address.coefficients[*schedule.vectorDim] != 0;
      if (node.kind != Node::Kind::Load || !varies || llvm::is_contained(schedule.packedBuffers, node.buffer))
        continue;
      if (isPackable(node, *schedule.vectorDim) || isWorthCopying(node, *schedule.vectorDim))
        schedule.packedBuffers.push_back(node.buffer);
    }
  }

  const TaskProgram &program;
  const LoopNest &nest;
  unsigned rowDims;
  const Machine &machine;
  llvm::SmallVector<NodeId> inner, outer;
};

} // namespace

double pointsPerInstruction(const TaskProgram &program, const LoopNest &nest, unsigned rowDims,
                            const Machine &machine) {
  return DimensionChooser(program, nest, rowDims, machine).pointsPerInstruction();
}

void chooseVectorDimension(const TaskProgram &program, const LoopNest &nest, unsigned rowDims, const Machine &machine,
                           NestSchedule &schedule) {
  DimensionChooser(program, nest, rowDims, machine).choose(schedule);
}

NestSchedule vectorsAlong(const TaskProgram &program, const LoopNest &nest, const Machine &machine, unsigned dim) {
  return DimensionChooser(program, nest, /*rowDims=*/0, machine).along(dim);
}

std::optional<NestSchedule> chooseSteps(const TaskProgram &program, const LoopNest &nest, const Machine &machine,
                                        const NestSchedule &chosen) {
  return DimensionChooser(program, nest, /*rowDims=*/0, machine).chooseSteps(chosen);
}

} // namespace cameo::schedule
