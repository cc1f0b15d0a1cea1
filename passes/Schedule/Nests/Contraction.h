// Which nests multiply: matrix products, convolutions, batches of either. Known by which operand moves along which
// dimension.
#ifndef CAMEO_PASSES_SCHEDULE_NESTS_CONTRACTION_H
#define CAMEO_PASSES_SCHEDULE_NESTS_CONTRACTION_H

#include "passes/Schedule/Nests/LoopNest.h"

namespace cameo::schedule {

/// The dimensions of a nest that adds up products of two operands, each in the order of the nest. A convolution has its
/// pixels as rows, its filters as columns, and windows and channels as depth; one by channel has no columns.
struct Contraction {
  NodeId left, right;                     ///< loads; `left` moves along the rows
  llvm::SmallVector<unsigned, 4> batch;   ///< parallel, along which both move or none
  llvm::SmallVector<unsigned, 4> rows;    ///< parallel, along which the left moves alone
  llvm::SmallVector<unsigned, 4> columns; ///< parallel, along which the right moves alone
  llvm::SmallVector<unsigned, 4> depth;   ///< the reduction

  /// Points along all of `dims`.
  static int64_t extentOf(const LoopNest &nest, llvm::ArrayRef<unsigned> dims);
};

/// The contraction that `nest` is, if its only reduction adds products of what one load each gives. The operand that
/// walks the last parallel dimension is the right one.
std::optional<Contraction> findContraction(const LoopNest &nest);

} // namespace cameo::schedule

#endif
