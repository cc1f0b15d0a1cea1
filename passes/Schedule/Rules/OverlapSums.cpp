#include "passes/Schedule/Rules/OverlapSums.h"

#include "passes/Schedule/Nests/Combiner.h"
#include "passes/Schedule/Rules/CacheModel.h"
#include "passes/Schedule/Rules/Complete/BlockedSummation.h"
#include "passes/Schedule/Rules/NestCost.h"
#include "passes/Schedule/Rules/Operands/OperandTraffic.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/MathExtras.h"

namespace cameo::schedule {
namespace {

/// The latency of an addition or multiply-add.
constexpr int64_t additionCycles = 4;
/// The fewest steps of a part, because each part costs one more addition. The most steps, so that enough parts to hide
/// the latency are in flight.
constexpr int64_t fewestSteps = 4, mostSteps = 16;
/// The fewest steps of a sum that is worth splitting.
constexpr int64_t shortSum = 16;

/// Multiplies counts, saturating at a limit: counts of dynamic sizes are as large as 64 bits hold.
int64_t multiplyCounts(int64_t a, int64_t b) {
  constexpr int64_t tooMany = int64_t(1) << 24;
  return a > tooMany / std::max<int64_t>(1, b) ? tooMany : a * b;
}

/// Returns the number of independent running results in the register block; `left` has the unrolled points of each
/// dimension.
int64_t runningResults(const LoopNest &nest, const NestSchedule &schedule, llvm::ArrayRef<int64_t> left) {
  int64_t count = std::ssize(nest.reductions);
  for (auto [dim, points] : llvm::enumerate(left))
    if (!nest.dims[dim].reduction)
      count =
          multiplyCounts(count, schedule.vectorDim == dim ? llvm::divideCeil(points, int64_t(schedule.lanes)) : points);
  return std::max<int64_t>(1, count);
}

/// Returns the approximate number of instructions per running result in a step; a product is part of its addition, and
/// widening a float takes two for vectors of 64 bytes.
int64_t operationsPerResult(const LoopNest &nest, const Machine &machine) {
  int64_t operations = 0;
  for (NodeId id : nest.computed(/*insideReduction=*/true)) {
    const Node &node = nest.nodes[id];
    if (node.kind != Node::Kind::Apply || node.type.isIndex())
      continue;
    operations += isLongFunction(node)                                                   ? longFunctionInstructions
                  : llvm::isa<mlir::arith::ExtFOp>(node.op) && machine.vectorBytes >= 64 ? 2
                                                                                         : 1;
    if (node.usesAccumulator && machine.fusedMultiplyAdd)
      operations -= llvm::any_of(node.operands, [&](NodeId operand) {
        const Node &factor = nest.nodes[operand];
        return factor.kind == Node::Kind::Apply && llvm::isa<mlir::arith::MulFOp>(factor.op);
      });
  }
  return llvm::divideCeil(operations, std::ssize(nest.reductions));
}

/// Returns the number of vector additions that begin in a cycle. A core that begins one addition of whole vectors
/// begins two of half vectors.
int64_t additionsPerCycle(const LoopNest &nest, const NestSchedule &schedule, const Machine &machine) {
  int64_t bytes = 1;
  for (const Reduction &reduction : nest.reductions)
    bytes = std::max(bytes, bytesOf(nest.nodes[reduction.update].type));
  bool isHalf = 2 * bytes * schedule.lanes <= machine.vectorBytes;
  return std::max<int64_t>(machine.multiplyAdds, isHalf ? 2 : 1);
}

/// Returns the number of steps per part, of `extent` steps: `wanted`, or a divisor up to `most`, and at most half of
/// all.
int64_t stepsOfPart(int64_t wanted, int64_t extent, int64_t most) {
  int64_t half = llvm::divideCeil(extent, int64_t(2));
  for (int64_t size = wanted; size <= std::min(most, half); ++size)
    if (extent % size == 0)
      return size;
  return std::min(wanted, half);
}

/// What the loops leave of a sum, and what it waits for.
struct RunningSum {
  unsigned innermost = 0;                      ///< the innermost loop with several iterations
  int64_t extent = 1, steps = 1, allSteps = 1; ///< points of that loop's dimension, unrolled steps, all steps
  int64_t results = 1;                         ///< independent running results of a block
  int64_t hidden = 1;                          ///< the additions that could begin before one is done
  int64_t halfUnits = 2;                       ///< twice the cycles of a step
};

bool combinesInAnyOrder(const LoopNest &nest) {
  for (unsigned number = 0; number < nest.reductions.size(); ++number)
    if (!matchCombiningKind(nest, number))
      return false;
  return nest.hasReduction();
}

/// Whether the lanes are all steps along their dimension: each point has one running vector of other steps, as if they
/// were points.
bool hasOneVectorOfSteps(const LoopNest &nest, const NestSchedule &schedule) {
  return schedule.vectorDim && nest.dims[*schedule.vectorDim].reduction && !schedule.dotDim &&
         mostPoints(nest.dims[*schedule.vectorDim]) <= int64_t(schedule.lanes) && combinesInAnyOrder(nest);
}

/// Returns nothing if the steps of `nest` may not be combined in another order, are few or have no loop inside of those
/// over points.
std::optional<RunningSum> findRunningSum(const LoopNest &nest, unsigned rowDims, const Machine &machine,
                                         const NestSchedule &schedule) {
  if (!canCombineSteps(nest, schedule) && !hasOneVectorOfSteps(nest, schedule))
    return std::nullopt;
  RunningSum sum;
  std::optional<unsigned> innermost;
  llvm::SmallVector<int64_t> left;
  for (auto [dim, dimension] : llvm::enumerate(nest.dims))
    left.push_back(dim < rowDims ? 1 : mostPoints(dimension));
  for (auto [level, loop] : llvm::enumerate(schedule.loops)) {
    int64_t &points = left[loop.dim];
    if (points > loop.size && !nest.dims[loop.dim].reduction)
      // Sums around loops over points are in memory.
      innermost.reset();
    else if (points > loop.size)
      innermost = level, sum.extent = points;
    points = std::min(points, loop.size);
  }
  for (auto [dim, dimension] : llvm::enumerate(nest.dims))
    if (dimension.reduction && schedule.vectorDim != dim) {
      sum.steps = multiplyCounts(sum.steps, left[dim]);
      sum.allSteps = multiplyCounts(sum.allSteps, mostPoints(dimension));
    }
  if (!innermost || sum.allSteps < shortSum)
    return std::nullopt;
  sum.innermost = *innermost;
  sum.results = runningResults(nest, schedule, left);
  sum.hidden = additionCycles * additionsPerCycle(nest, schedule, machine);
  // Every other instruction takes another unit than the additions, and a vector out of the second-level cache takes two
  // cycles.
  bool isNear = schedule.packedBuffers.empty() || OperandTraffic(nest, schedule).vectorBytes() <= firstLevelBytes;
  sum.halfUnits = std::max<int64_t>(isNear ? 2 : 4, operationsPerResult(nest, machine));
  return sum;
}

/// Whether parts of `steps` steps, each of which costs one more addition, save a fifth of the time.
bool isWorthParts(const RunningSum &sum, int64_t steps) {
  return 5 * sum.results * (sum.halfUnits * steps + 2) <= 4 * 2 * sum.hidden * steps;
}

} // namespace

void overlapSums(const LoopNest &nest, unsigned rowDims, const Machine &machine, NestSchedule &schedule) {
  std::optional<RunningSum> sum = findRunningSum(nest, rowDims, machine, schedule);
  if (!sum || schedule.partialLoop)
    return;
  Loop &loop = schedule.loops[sum->innermost];
  int64_t others = sum->steps / loop.size;
  auto partOf = [&](int64_t steps) {
    return sum->steps >= steps ? loop.size
                               : stepsOfPart(llvm::divideCeil(steps, others), sum->extent, mostSteps / others);
  };
  // Enough steps to be hidden by the additions of other parts, and to keep the number of parts of float sums low.
  int64_t wanted = std::max<int64_t>(fewestSteps, llvm::divideCeil(sum->hidden, sum->results)),
          mostParts = isSumOfFloats(nest) ? mostTerms : sum->allSteps,
          ofFewParts = std::max<int64_t>(wanted, llvm::divideCeil(sum->allSteps, mostParts));
  int64_t part = partOf(ofFewParts), terms = others * part;
  if (isWorthParts(*sum, ofFewParts) && terms <= mostSteps &&
      llvm::divideCeilSigned(sum->allSteps, terms) <= mostParts) {
    loop.size = part;
    schedule.partialLoop = sum->innermost;
  } else if (canCombineSteps(nest, schedule) && isWorthParts(*sum, wanted) && others * partOf(wanted) <= mostSteps) {
    loop.size = partOf(wanted); // for combinesStepsFirst
  }
}

bool canCombineSteps(const LoopNest &nest, const NestSchedule &schedule) {
  return !schedule.dotDim && !(schedule.vectorDim && nest.dims[*schedule.vectorDim].reduction) &&
         combinesInAnyOrder(nest);
}

bool combinesStepsFirst(const LoopNest &nest, unsigned rowDims, const Machine &machine, const NestSchedule &schedule) {
  std::optional<RunningSum> sum = findRunningSum(nest, rowDims, machine, schedule);
  return sum && canCombineSteps(nest, schedule) && schedule.partialLoop != sum->innermost &&
         sum->steps >= fewestSteps && sum->steps <= mostSteps && isWorthParts(*sum, sum->steps);
}

/// Whether the vector dimension has at most one and a half vectors.
static bool isOneVectorOrLittleMore(const LoopNest &nest, const NestSchedule &schedule) {
  return mostPoints(nest.dims[*schedule.vectorDim]) <= schedule.lanes + schedule.lanes / 2;
}

int64_t rowsAtOnce(const LoopNest &nest, unsigned rowDims, const NestSchedule &schedule) {
  // More long rows mean more streams (means of 4096 rows of 128 take 1.3 times as long with 14 rows as with 4, maxima
  // of 1000 rows of 1000 take 1.5 times as long with 29).
  constexpr int64_t longRows = 4, shortRows = 8;
  return isOneVectorOrLittleMore(nest, schedule) || takesMaximaOfFewVectors(nest, rowDims, schedule) ? shortRows
                                                                                                     : longRows;
}

bool takesMaximaOfFewVectors(const LoopNest &nest, unsigned rowDims, const NestSchedule &schedule) {
  constexpr int64_t fewVectors = 8;
  unsigned dim = *schedule.vectorDim;
  if (rowDims > 0 || !nest.dims[dim].reduction || isOneVectorOrLittleMore(nest, schedule) ||
      mostPoints(nest.dims[dim]) > fewVectors * int64_t(schedule.lanes) || nest.reductions.size() != 1 ||
      nest.loads(/*insideReduction=*/true).size() != 1)
    return false;
  std::optional<vector::CombiningKind> kind = matchCombiningKind(nest, 0);
  return kind == vector::CombiningKind::MAXIMUMF || kind == vector::CombiningKind::MINIMUMF;
}

} // namespace cameo::schedule
