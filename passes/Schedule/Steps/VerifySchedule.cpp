// Applies the rules of all steps, and rules for their combination.
#include "passes/Schedule/Steps/VerifySchedule.h"

#include "passes/Schedule/Rules/Complete/BalancePieces.h"
#include "passes/Schedule/Rules/Complete/FinishBlocks.h"
#include "passes/Schedule/Rules/OverlapSums.h"
#include "passes/Schedule/Steps/NestRules.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

#include <map>

namespace cameo::schedule {

/// The limit of accumulators or stores in one register block; more would make the code explode.
constexpr int64_t maxBlockPoints = 1024;
/// The limit over all blocks of code, including those for the remainders of loops.
constexpr int64_t maxEmittedPoints = 16 * maxBlockPoints;
/// The largest number of lanes in a vector register, with elements of one byte.
constexpr int64_t lanesOfRegister = 64;

/// Returns the number of unrolled operations for `size` points along `dim`.
static int64_t unrolledPoints(const NestSchedule &schedule, unsigned dim, int64_t size) {
  if (schedule.vectorDim == dim)
    return llvm::divideCeil(size, int64_t(schedule.lanes)) * llvm::divideCeil(int64_t(schedule.lanes), lanesOfRegister);
  return llvm::divideCeil(size, schedule.dotDim == dim ? dotGroup : 1);
}

/// Returns the sizes of the pieces of `dim` that the loops leave, with the number of blocks of code for each;
/// remainders have a block of their own. Stops when the limit is exceeded.
static std::map<int64_t, int64_t> emittedPieces(const LoopNest &nest, const NestSchedule &schedule, unsigned dim) {
  std::map<int64_t, int64_t> pieces = {{mostPoints(nest.dims[dim]), 1}};
  for (const Loop &loop : schedule.loops) {
    if (loop.dim != dim)
      continue;
    std::map<int64_t, int64_t> inner;
    for (auto [size, count] : pieces) {
      if (size == unboundedSize)
        inner[loop.size] += count;
      else
        for (const Segment &segment : segmentsOf(nest, schedule, loop, size))
          inner[segment.size] = std::min(inner[segment.size] + count, maxEmittedPoints + 1);
    }
    pieces = std::move(inner);
  }
  return pieces;
}

/// Verifies that the points that the loops leave, `left` of each dimension, are few enough to unroll.
static std::string verifyBlock(const LoopNest &nest, const NestSchedule &schedule, unsigned rowDims,
                               llvm::ArrayRef<int64_t> left) {
  int64_t points = 1, emitted = 1;
  for (auto [dim, size] : llvm::enumerate(left)) {
    points *= unrolledPoints(schedule, dim, size);
    if (points > maxBlockPoints)
      return llvm::formatv("the loops leave a block of more than {0} points to unroll", maxBlockPoints);
  }
  for (unsigned dim = rowDims; dim < nest.dims.size(); ++dim) {
    int64_t along = 0;
    for (auto [size, count] : emittedPieces(nest, schedule, dim))
      along += count * unrolledPoints(schedule, dim, size);
    emitted *= std::max<int64_t>(along, 1);
    if (emitted > maxEmittedPoints)
      return llvm::formatv(
          "the loops leave blocks of more than {0} points to unroll, of which those over dimension {1} make {2}",
          maxEmittedPoints, dim, along);
  }
  return "";
}

/// Verifies decisions that no step expresses.
static std::string verifyCompleted(const LoopNest &nest, const NestSchedule &schedule) {
  if (schedule.pieceUnits.first > 1 && !piecesOfTwoSizes(nest, schedule))
    return "units of pieces in a parallel range whose pieces have one size";
  if (schedule.finishesInLoop && !canFinishInLoop(nest, schedule))
    return "a loop over the results of blocks that are no vectors of sums";
  if (schedule.combinesSteps && !canCombineSteps(nest, schedule))
    return "steps that are combined first, of a nest without reductions that allow it";
  return "";
}

std::string verify(const LoopNest &nest, const NestSchedule &schedule, unsigned rowDims, const Machine &machine) {
  NestToVerify of{nest, schedule, rowDims, machine};
  // The rules for loops depend on the vector dimension.
  if (std::string wrong = verifyVectorize(of); !wrong.empty())
    return wrong;
  llvm::SmallVector<int64_t> left;
  for (const Dimension &dim : nest.dims)
    left.push_back(left.size() < rowDims ? 1 : mostPoints(dim));
  if (std::string wrong = verifyTiles(of, left); !wrong.empty())
    return wrong;
  for (auto rule : {verifyParallel, verifyPrefetch, verifyRfactor, verifyPack, verifyDot})
    if (std::string wrong = rule(of); !wrong.empty())
      return wrong;
  if (std::string wrong = verifyCompleted(nest, schedule); !wrong.empty())
    return wrong;
  return verifyBlock(nest, schedule, rowDims, left);
}

} // namespace cameo::schedule
