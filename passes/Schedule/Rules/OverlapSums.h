// Splits sums of few points into interleaved parts, because a single running sum would wait for the latency of each
// addition.
#ifndef CAMEO_PASSES_SCHEDULE_RULES_OVERLAPSUMS_H
#define CAMEO_PASSES_SCHEDULE_RULES_OVERLAPSUMS_H

#include "passes/Schedule/Rules/NestSchedule.h"

namespace cameo::schedule {

/// Adds partial results to `schedule` for the innermost reduction loop of `nest`, if the register block has so few
/// points that the latency of a step is at least twice its throughput. The first `rowDims` dimensions belong to loops
/// of the group. Parts have a few steps: an out-of-order processor starts the next parts meanwhile. Only for reductions
/// with a combining operation. Sums of floats with more than `mostTerms` parts (BlockedSummation.h) only get as many
/// unrolled steps as a part would have.
void overlapSums(const LoopNest &nest, unsigned rowDims, const Machine &machine, NestSchedule &schedule);

/// Whether the unrolled steps of a block may be combined on their own: all reductions have a combining operation, and
/// the lanes are not their steps.
bool canCombineSteps(const LoopNest &nest, const NestSchedule &schedule);

/// Whether the unrolled steps of a block should be combined on their own before they reach the running results, which
/// would wait for each of them.
bool combinesStepsFirst(const LoopNest &nest, unsigned rowDims, const Machine &machine, const NestSchedule &schedule);

/// Returns the most rows of a block whose steps are the lanes and that share no operand: enough to hide the latency of
/// their sums. Rows of one vector or a little more lie beside each other and are combined in one, and so are the maxima
/// of a few vectors. The first `rowDims` dimensions belong to loops of the group.
int64_t rowsAtOnce(const LoopNest &nest, unsigned rowDims, const NestSchedule &schedule);

/// Whether `nest` has the maxima or minima of rows of floats, whose steps are the lanes: a few vectors, but more than
/// one and a half. A step takes several instructions, since floats may be NaN.
bool takesMaximaOfFewVectors(const LoopNest &nest, unsigned rowDims, const NestSchedule &schedule);

} // namespace cameo::schedule

#endif
