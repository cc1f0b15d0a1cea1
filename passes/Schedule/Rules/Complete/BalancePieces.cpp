#include "passes/Schedule/Rules/Complete/BalancePieces.h"

#include "passes/Schedule/Nests/TensorSizes.h"

#include "llvm/Support/MathExtras.h"

#include <numeric>

namespace cameo::schedule {

/// Returns the blocks of both sizes, or an empty list if all pieces have one size.
static llvm::SmallVector<Segment, 2> blocksOfTwoSizes(const LoopNest &nest, const NestSchedule &schedule) {
  if (schedule.parallelLoops == 0 || schedule.loops[schedule.repeatedLoops].dim != schedule.vectorDim ||
      !nest.hasKnownSizes())
    return {};
  const Loop &outermost = schedule.loops[schedule.repeatedLoops];
  llvm::SmallVector<Segment, 2> blocks = segmentsOf(nest, schedule, outermost, nest.dims[outermost.dim].extent);
  if (blocks.size() == 1)
    blocks.clear();
  return blocks;
}

static PieceCounts countPiecesOf(const LoopNest &nest, const NestSchedule &schedule, llvm::ArrayRef<Segment> blocks) {
  int64_t inside = 1;
  for (const Loop &loop : llvm::ArrayRef(schedule.loops).slice(schedule.repeatedLoops + 1, schedule.parallelLoops - 1))
    inside *= countPieces(nest.dims[loop.dim].extent, loop.size);
  return {blocks[0].count * inside, blocks[1].count * inside};
}

std::optional<PieceCounts> piecesOfTwoSizes(const LoopNest &nest, const NestSchedule &schedule) {
  llvm::SmallVector<Segment, 2> blocks = blocksOfTwoSizes(nest, schedule);
  return blocks.empty() ? std::nullopt : std::optional(countPiecesOf(nest, schedule, blocks));
}

/// Whether equal numbers of pieces are nearly equal work: the share of the large pieces in the work exceeds their share
/// in the number of pieces by at most 1/64.
static bool areNearlyEven(const PieceCounts &pieces, int64_t largeUnits, int64_t smallUnits) {
  int64_t units = pieces.large * largeUnits + pieces.small * smallUnits;
  double work = double(pieces.large * largeUnits) / double(units),
         count = double(pieces.large) / double(pieces.large + pieces.small);
  return work - count <= 1.0 / 64;
}

void balancePieces(const LoopNest &nest, NestSchedule &schedule) {
  schedule.pieceUnits = {1, 1};
  llvm::SmallVector<Segment, 2> blocks = blocksOfTwoSizes(nest, schedule);
  if (blocks.empty())
    return;
  int64_t large = llvm::divideCeil(blocks[0].size, schedule.lanes),
          small = llvm::divideCeil(blocks[1].size, schedule.lanes), unit = std::gcd(large, small);
  if (!areNearlyEven(countPiecesOf(nest, schedule, blocks), large / unit, small / unit))
    schedule.pieceUnits = {large / unit, small / unit};
}

Size rangeExtent(const LoopNest &nest, const NestSchedule &schedule) {
  auto [largeUnits, smallUnits] = schedule.pieceUnits;
  if (std::optional<PieceCounts> pieces = largeUnits > 1 ? piecesOfTwoSizes(nest, schedule) : std::nullopt)
    return pieces->large * largeUnits + pieces->small * smallUnits;
  return parallelExtent(nest, schedule);
}

} // namespace cameo::schedule
