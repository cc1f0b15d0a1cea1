// Weights of pieces of two sizes in the parallel range of a kernel.
#ifndef CAMEO_PASSES_SCHEDULE_RULES_COMPLETE_BALANCEPIECES_H
#define CAMEO_PASSES_SCHEDULE_RULES_COMPLETE_BALANCEPIECES_H

#include "passes/Schedule/Rules/NestSchedule.h"

namespace cameo::schedule {

/// The numbers of pieces in a parallel range: large ones first, smaller ones after them.
struct PieceCounts {
  int64_t large, small;
};

/// Returns the pieces of `nest` if its outermost parallel loop is over blocks of the vector dimension and the last
/// block is smaller. Rows of two sizes are not considered: a thread with whole rows finds its own results of the
/// previous nest in its cache.
std::optional<PieceCounts> piecesOfTwoSizes(const LoopNest &nest, const NestSchedule &schedule);

/// Sets `pieceUnits`: pieces count as more than one iteration if equal numbers of pieces would be clearly unequal work.
void balancePieces(const LoopNest &nest, NestSchedule &schedule);

/// Returns the number of iterations of the range of `nest` in a kernel of its own.
Size rangeExtent(const LoopNest &nest, const NestSchedule &schedule);

} // namespace cameo::schedule

#endif
