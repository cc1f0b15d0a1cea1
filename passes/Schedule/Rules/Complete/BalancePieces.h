// What pieces of two sizes count in the range that threads share.
#ifndef CAMEO_PASSES_SCHEDULE_RULES_COMPLETE_BALANCEPIECES_H
#define CAMEO_PASSES_SCHEDULE_RULES_COMPLETE_BALANCEPIECES_H

#include "passes/Schedule/Rules/NestSchedule.h"

namespace cameo::schedule {

/// The pieces of a parallel range: the first ones, and behind them smaller ones.
struct PieceCounts {
  int64_t large, small;
};

/// Those of `nest` where its outermost parallel loop is over blocks of vectors and the last one is smaller. Not rows of
/// two sizes: where a thread has whole ones, it finds what it wrote.
std::optional<PieceCounts> piecesOfTwoSizes(const LoopNest &nest, const NestSchedule &schedule);

/// Says how many iterations the pieces are: more than one where equal numbers of them are not nearly as much work.
void balancePieces(const LoopNest &nest, NestSchedule &schedule);

/// Iterations of the range that `nest` alone would have.
Size rangeExtent(const LoopNest &nest, const NestSchedule &schedule);

} // namespace cameo::schedule

#endif
