// Recognises nests that are contractions: matrix products, convolutions, batches of either. They are recognised by the
// dimensions along which each operand varies.
#ifndef CAMEO_PASSES_SCHEDULE_NESTS_CONTRACTION_H
#define CAMEO_PASSES_SCHEDULE_NESTS_CONTRACTION_H

#include "passes/Schedule/Nests/LoopNest.h"

namespace cameo::schedule {

/// The dimensions of a nest that sums products of two operands; each list is in the order of the nest. In a convolution
/// the pixels are rows, the filters are columns, windows and channels are depth. A depthwise convolution has no
/// columns.
struct Contraction {
  NodeId left, right;                     ///< loads; `left` varies along the rows
  llvm::SmallVector<unsigned, 4> batch;   ///< parallel; both operands vary or neither does
  llvm::SmallVector<unsigned, 4> rows;    ///< parallel; only the left operand varies
  llvm::SmallVector<unsigned, 4> columns; ///< parallel; only the right operand varies
  llvm::SmallVector<unsigned, 4> depth;   ///< the reduction dimensions

  /// Returns the number of points of `dims`.
  static int64_t extentOf(const LoopNest &nest, llvm::ArrayRef<unsigned> dims);
};

/// Returns the contraction that `nest` computes, if its only reduction adds products of two loads. The operand that
/// varies along the last parallel dimension is the right one.
std::optional<Contraction> findContraction(const LoopNest &nest);

} // namespace cameo::schedule

#endif
