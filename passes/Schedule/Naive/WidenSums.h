// Computes sums in float64, for the accuracy of the reference path.
#ifndef CAMEO_PASSES_SCHEDULE_NAIVE_WIDENSUMS_H
#define CAMEO_PASSES_SCHEDULE_NAIVE_WIDENSUMS_H

#include "mlir/IR/PatternMatch.h"

namespace cameo::schedule {

/// Computes every float32 sum of a linalg.generic below `root` in float64, and rounds it once at the end: the order of
/// the additions then hardly matters. Sums are unchanged if a size of their destination is not available where it is
/// created.
void widenSums(mlir::Operation *root, mlir::RewriterBase &rewriter);

} // namespace cameo::schedule

#endif
