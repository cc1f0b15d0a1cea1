// Sums in double: what makes the reference path a reference.
#ifndef CAMEO_PASSES_SCHEDULE_NAIVE_WIDENSUMS_H
#define CAMEO_PASSES_SCHEDULE_NAIVE_WIDENSUMS_H

#include "mlir/IR/PatternMatch.h"

namespace cameo::schedule {

/// Makes every float32 sum of a linalg.generic below `root` run in float64, rounded once at its end: the order in which
/// terms are added then hardly matters. Sums whose destination has a size that is not known where it is made stay.
void widenSums(mlir::Operation *root, mlir::RewriterBase &rewriter);

} // namespace cameo::schedule

#endif
