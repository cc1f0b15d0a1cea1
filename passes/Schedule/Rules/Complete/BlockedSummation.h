// Blocked summation of long sums: how many terms one running sum may take up, whatever the schedule.
#ifndef CAMEO_PASSES_SCHEDULE_RULES_COMPLETE_BLOCKEDSUMMATION_H
#define CAMEO_PASSES_SCHEDULE_RULES_COMPLETE_BLOCKEDSUMMATION_H

#include "passes/Schedule/Rules/NestSchedule.h"

namespace cameo::schedule {

/// Terms that one running sum takes up, about. Its rounding error grows with their number; to begin the next takes an
/// addition per running sum of the register block. Rows and planes of windows of 96 and of 32 channels are one part.
constexpr int64_t mostTerms = 288;

/// Pieces of `pieces` that a part has, at most `most`, which is at least 1: as many as make all parts of one size,
/// unless those would be short.
int64_t piecesPerPart(int64_t pieces, int64_t most);

/// Whether `nest` has reductions and all are sums of floats, of products or of anything else.
bool isSumOfFloats(const LoopNest &nest);

/// Gives `schedule`, which fits `nest`, partial results for a loop over the reductions where a running sum of floats
/// would take up more than `mostTerms`; the loop is divided for it where needed (blocked summation: N. J. Higham, The
/// accuracy of floating point summation, SIAM J. Sci. Comput. 14(4), 1993). What has partial results already, or is no
/// sum of floats, stays as it is.
void applyBlockedSummation(const LoopNest &nest, NestSchedule &schedule);

} // namespace cameo::schedule

#endif
