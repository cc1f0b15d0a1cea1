// Where the partial results of a block lie: in the order of the nest's dimensions, the vector dimension innermost and
// padded to whole vectors, so that no access needs a mask.
#ifndef CAMEO_PASSES_SCHEDULE_RULES_PARTIALLAYOUT_H
#define CAMEO_PASSES_SCHEDULE_RULES_PARTIALLAYOUT_H

#include "passes/Schedule/Rules/NestSchedule.h"

namespace cameo::schedule {

/// Bytes per result that they may take of the stack.
constexpr int64_t maxPartialBytes = 64 * 1024;

/// Bytes of each result of `points` points per dimension, whole vectors along the vector dimension.
int64_t partialBytes(const LoopNest &nest, const NestSchedule &schedule, llvm::ArrayRef<int64_t> points);

/// Elements that one result of `points` points per dimension takes; `form`, if any, becomes the place of one.
int64_t layOutPartials(const LoopNest &nest, const NestSchedule &schedule, llvm::ArrayRef<int64_t> points,
                       LinearForm *form = nullptr);

} // namespace cameo::schedule

#endif
