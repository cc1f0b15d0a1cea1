#include "passes/Schedule/Rules/Complete/BlockedSummation.h"

#include "passes/Schedule/Nests/Combiner.h"

#include "llvm/Support/MathExtras.h"

namespace cameo::schedule {
namespace {

/// Parts of equal size must have at least 1/fewestShare of the limit.
constexpr int64_t fewestShare = 4;

/// Returns the number of terms that a running sum accumulates at one point of the block; `left` has the unrolled points
/// of each dimension. Sums of bytes are exact until they are scaled.
int64_t termsAtOnce(const NestSchedule &schedule, llvm::ArrayRef<int64_t> left) {
  int64_t terms = 1;
  for (auto [dim, points] : llvm::enumerate(left))
    terms *= schedule.dotDim == dim      ? 1
             : schedule.vectorDim == dim ? llvm::divideCeil(points, schedule.lanes * chainsOf(schedule, points))
                                         : points;
  return terms;
}

} // namespace

int64_t piecesPerPart(int64_t pieces, int64_t most) {
  for (int64_t even = std::min(pieces, most); even * fewestShare > most; --even)
    if (pieces % even == 0)
      return even;
  return most;
}

bool isSumOfFloats(const LoopNest &nest) {
  for (unsigned number = 0; number < nest.reductions.size(); ++number) {
    bool isFloat = llvm::isa<mlir::FloatType>(nest.nodes[nest.reductions[number].update].type);
    if (!isFloat || matchCombiningKind(nest, number) != mlir::vector::CombiningKind::ADD)
      return false;
  }
  return nest.hasReduction();
}

void applyBlockedSummation(const LoopNest &nest, NestSchedule &schedule) {
  if (schedule.partialLoop || !isSumOfFloats(nest))
    return;
  // The number of iterations of each reduction loop within the outer loops.
  llvm::SmallVector<int64_t> left, pieces;
  for (const Dimension &dim : nest.dims)
    left.push_back(dim.reduction ? mostPoints(dim) : 1);
  for (const Loop &loop : schedule.loops) {
    int64_t &points = left[loop.dim];
    pieces.push_back(llvm::divideCeil(points, loop.size));
    points = std::min(points, loop.size);
  }
  // Include loops from the innermost one outwards while a part stays within the limit.
  int64_t terms = termsAtOnce(schedule, left);
  auto most = [&] { return std::max<int64_t>(1, mostTerms / terms); };
  size_t level = schedule.loops.size();
  while (level > 0 && pieces[level - 1] <= most())
    terms *= pieces[--level];
  if (level == 0)
    return;
  schedule.partialLoop = level - 1;
  Loop part = schedule.loops[level - 1];
  part.size *= piecesPerPart(pieces[level - 1], most());
  // If the loop is around points, its sums are in memory, and every iteration adds its result there.
  bool isAroundPoints = llvm::any_of(llvm::ArrayRef(schedule.loops).drop_front(level),
                                     [&](const Loop &loop) { return !nest.dims[loop.dim].reduction; });
  if (part.size > schedule.loops[level - 1].size && !isAroundPoints)
    schedule.loops.insert(schedule.loops.begin() + level - 1, part);
}

} // namespace cameo::schedule
