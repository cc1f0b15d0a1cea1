#include "passes/Schedule/Rules/OverlapSums.h"

#include "passes/Schedule/Nests/Combiner.h"
#include "passes/Schedule/Rules/Complete/BlockedSummation.h"

#include "llvm/Support/MathExtras.h"

namespace cameo::schedule {
namespace {

/// From one addition, of a product or not, to the next that needs it.
constexpr int64_t additionCycles = 4;
/// Steps of a part, at least: each part takes an addition more. At most: as many parts as hide the latency are on
/// their way at once.
constexpr int64_t fewestSteps = 4, mostSteps = 16;
/// Steps of a sum that is worth it.
constexpr int64_t shortSum = 16;
/// Instructions of an exponential or its kin.
constexpr int64_t longFunction = 20;

/// A product of counts, or what is too many in any case: of sizes that the run chooses there are as many as 64 bits
/// hold.
int64_t multiplyCounts(int64_t a, int64_t b) {
  constexpr int64_t tooMany = int64_t(1) << 24;
  return a > tooMany / std::max<int64_t>(1, b) ? tooMany : a * b;
}

/// Running results that the register block has beside each other, `left` being what the loops leave of each dimension.
int64_t runningResults(const LoopNest &nest, const NestSchedule &schedule, llvm::ArrayRef<int64_t> left) {
  int64_t count = std::ssize(nest.reductions);
  for (auto [dim, points] : llvm::enumerate(left))
    if (!nest.dims[dim].reduction)
      count =
          multiplyCounts(count, schedule.vectorDim == dim ? llvm::divideCeil(points, int64_t(schedule.lanes)) : points);
  return std::max<int64_t>(1, count);
}

/// Instructions that a step takes for each of its running results, about; a product is part of its addition.
int64_t operationsPerResult(const LoopNest &nest, const Machine &machine) {
  int64_t operations = 0;
  for (NodeId id : nest.computed(/*insideReduction=*/true)) {
    const Node &node = nest.nodes[id];
    if (node.kind != Node::Kind::Apply || node.type.isIndex())
      continue;
    operations += isLongFunction(node) ? longFunction : 1;
    if (node.usesAccumulator && machine.fusedMultiplyAdd)
      operations -= llvm::any_of(node.operands, [&](NodeId operand) {
        const Node &factor = nest.nodes[operand];
        return factor.kind == Node::Kind::Apply && llvm::isa<mlir::arith::MulFOp>(factor.op);
      });
  }
  return llvm::divideCeil(operations, std::ssize(nest.reductions));
}

/// Of `extent` steps those of a part: `wanted`, or as many as divide them if up to `most` do, and at most half of all.
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
  // What is left of each dimension by the loops, and of that of the innermost one which runs several times before it.
  llvm::SmallVector<int64_t> left;
  for (auto [dim, dimension] : llvm::enumerate(nest.dims))
    left.push_back(dim < rowDims ? 1 : mostPoints(dimension));
  std::optional<unsigned> innermost;
  int64_t extent = 1, steps = 1, allSteps = 1;
  for (auto [level, loop] : llvm::enumerate(schedule.loops)) {
    int64_t &points = left[loop.dim];
    if (points > loop.size && !nest.dims[loop.dim].reduction)
      // What loops around points leave is in memory.
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
          hidden = additionCycles * static_cast<int64_t>(machine.multiplyAdds);
  if (!innermost || allSteps < shortSum)
    return;
  // As many steps as additions of other parts hide, and as sums of floats need to be of few parts.
  int64_t mostParts = isSumOfFloats(nest) ? mostTerms : allSteps;
  int64_t wanted = std::max<int64_t>(fewestSteps, llvm::divideCeil(hidden, results));
  wanted = std::max<int64_t>(wanted, llvm::divideCeil(allSteps, mostParts));
  if (2 * results * (operationsPerResult(nest, machine) * wanted + 1) > hidden * wanted)
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

} // namespace cameo::schedule
