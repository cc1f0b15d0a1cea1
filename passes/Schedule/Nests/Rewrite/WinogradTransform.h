// The matrices of Winograd's minimal filtering F(m, 3), and matrix products as expressions of a loop nest.
#ifndef CAMEO_PASSES_SCHEDULE_NESTS_REWRITE_WINOGRADTRANSFORM_H
#define CAMEO_PASSES_SCHEDULE_NESTS_REWRITE_WINOGRADTRANSFORM_H

#include "passes/Schedule/Nests/LoopNest.h"

namespace cameo::schedule {

/// Computes m outputs of a filter of three taps from m + 2 inputs with m + 2 products: output * ((filter * g) . (input
/// * d)), where g is the filter and d are the inputs.
struct WinogradTransform {
  RationalMatrix input;  ///< m + 2 by m + 2
  RationalMatrix filter; ///< m + 2 by 3
  RationalMatrix output; ///< m by m + 2
};

/// Returns the transform for `outputs` outputs, or null unless `outputs` is 2 or 4.
const WinogradTransform *winogradTransform(int64_t outputs);

/// Scalar operations for nodes that have no operation in the body.
struct ScalarOps {
  mlir::Operation *add, *subtract, *multiply;
};

/// Adds to `nest` the product of a matrix, whose denominator is a power of two, and a vector of values. Rows or columns
/// that differ only in signs share their sums and differences, and coefficients of one need no multiplication.
llvm::SmallVector<NodeId> applyMatrix(LoopNest &nest, const RationalMatrix &matrix, llvm::ArrayRef<NodeId> values,
                                      const ScalarOps &ops);

} // namespace cameo::schedule

#endif
