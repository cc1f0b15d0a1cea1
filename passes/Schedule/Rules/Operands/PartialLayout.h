// The layout of the partial results of a block: the dimensions in the order of the nest, with the vector dimension
// innermost and padded to whole vectors, so that no access needs a mask.
#ifndef CAMEO_PASSES_SCHEDULE_RULES_OPERANDS_PARTIALLAYOUT_H
#define CAMEO_PASSES_SCHEDULE_RULES_OPERANDS_PARTIALLAYOUT_H

#include "passes/Schedule/Rules/NestSchedule.h"

namespace cameo::schedule {

/// The limit in bytes per result on the stack.
constexpr int64_t maxPartialBytes = 64 * 1024;

/// Returns the bytes of each result with `points` points per dimension, padded to whole vectors.
int64_t partialBytes(const LoopNest &nest, const NestSchedule &schedule, llvm::ArrayRef<int64_t> points);

/// Returns the number of elements of one result with `points` points per dimension. If `form` is not null, sets its
/// coefficients to the strides of the layout.
int64_t layOutPartials(const LoopNest &nest, const NestSchedule &schedule, llvm::ArrayRef<int64_t> points,
                       LinearForm *form = nullptr);

} // namespace cameo::schedule

#endif
