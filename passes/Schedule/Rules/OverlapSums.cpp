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

} // namespace

void overlapSums(const LoopNest &nest, unsigned rowDims, const Machine &machine, NestSchedule &schedule) {
  if (!nest.hasReduction() || schedule.partialLoop || schedule.dotDim ||
      (schedule.vectorDim && nest.dims[*schedule.vectorDim].reduction))
    return;
  for (unsigned number = 0; number < nest.reductions.size(); ++number)
    if (!matchCombiningKind(nest, number))
      return;
  // The points that the loops leave of each dimension, and the extent of the innermost loop that has several
  // iterations.
  llvm::SmallVector<int64_t> left;
  for (auto [dim, dimension] : llvm::enumerate(nest.dims))
    left.push_back(dim < rowDims ? 1 : mostPoints(dimension));
  std::optional<unsigned> innermost;
  int64_t extent = 1, steps = 1, allSteps = 1;
  for (auto [level, loop] : llvm::enumerate(schedule.loops)) {
    int64_t &points = left[loop.dim];
    if (points > loop.size && !nest.dims[loop.dim].reduction)
      // Sums around loops over points are in memory.
      innermost.reset();
    else if (points > loop.size)
      innermost = level, extent = points;
    points = std::min(points, loop.size);
  }
  for (auto [dim, dimension] : llvm::enumerate(nest.dims))
    if (dimension.reduction) {
      steps = multiplyCounts(steps, left[dim]);
      allSteps = multiplyCounts(allSteps, mostPoints(dimension));
    }
  int64_t results = runningResults(nest, schedule, left),
          hidden = additionCycles * additionsPerCycle(nest, schedule, machine);
  if (!innermost || allSteps < shortSum)
    return;
  // Enough steps to be hidden by the additions of other parts, and to keep the number of parts of float sums low.
  int64_t mostParts = isSumOfFloats(nest) ? mostTerms : allSteps;
  int64_t wanted = std::max<int64_t>(fewestSteps, llvm::divideCeil(hidden, results));
  wanted = std::max<int64_t>(wanted, llvm::divideCeil(allSteps, mostParts));
  // Every other instruction takes another unit than the additions, and a vector out of the second-level cache takes two
  // cycles. Parts that save less than a fifth are not worth it.
  bool isNear = schedule.packedBuffers.empty() || OperandTraffic(nest, schedule).vectorBytes() <= firstLevelBytes;
  int64_t halfUnits = std::max<int64_t>(isNear ? 2 : 4, operationsPerResult(nest, machine));
  if (5 * results * (halfUnits * wanted + 2) > 4 * 2 * hidden * wanted)
    return;
  Loop part = schedule.loops[*innermost];
  int64_t others = steps / part.size;
  if (steps < wanted)
    part.size = stepsOfPart(llvm::divideCeil(wanted, others), extent, mostSteps / others);
  if (int64_t terms = others * part.size; terms > mostSteps || llvm::divideCeilSigned(allSteps, terms) > mostParts)
    return;
  schedule.loops[*innermost] = part;
  schedule.partialLoop = innermost;
}

int64_t rowsAtOnce(const LoopNest &nest, const NestSchedule &schedule) {
  // More long rows mean more streams (means of 4096 rows of 128 take 1.3 times as long with 14 rows as with 4, maxima
  // of 1000 rows of 1000 take 1.5 times as long with 29).
  constexpr int64_t longRows = 4, shortRows = 8;
  return mostPoints(nest.dims[*schedule.vectorDim]) <= schedule.lanes + schedule.lanes / 2 ? shortRows : longRows;
}

} // namespace cameo::schedule
