// Blocked summation: limits the number of terms that one running sum accumulates, for any schedule.
#ifndef CAMEO_PASSES_SCHEDULE_RULES_COMPLETE_BLOCKEDSUMMATION_H
#define CAMEO_PASSES_SCHEDULE_RULES_COMPLETE_BLOCKEDSUMMATION_H

#include "passes/Schedule/Rules/NestSchedule.h"

namespace cameo::schedule {

/// The approximate limit of terms per running sum. The rounding error grows with it, and starting the next sum costs
/// one addition per running sum of the register block. A row of a window of 96 channels, or a 3x3 window of 32
/// channels, is one part.
constexpr int64_t mostTerms = 288;

/// Returns the number of pieces in a part, of `pieces` in total and at most `most` (at least 1). It prefers a number
/// that divides `pieces`, unless the parts would be short.
int64_t piecesPerPart(int64_t pieces, int64_t most);

/// Whether `nest` has reductions and all of them are sums of floats.
bool isSumOfFloats(const LoopNest &nest);

/// Adds partial results to `schedule`, a valid schedule of `nest`, for a loop over the reductions if a running sum of
/// floats would accumulate more than `mostTerms` terms. The loop is split for this if needed (blocked summation: N. J.
/// Higham, The accuracy of floating point summation, SIAM J. Sci. Comput. 14(4), 1993). Schedules with partial results
/// and reductions that are not sums of floats are unchanged.
void applyBlockedSummation(const LoopNest &nest, NestSchedule &schedule);

} // namespace cameo::schedule

#endif
