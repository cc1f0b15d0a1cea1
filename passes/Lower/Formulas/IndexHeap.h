// A binary heap of indices in a tensor of i64, for operators that take the first few of many elements
// (NonMaxSuppression, TopK).
#ifndef CAMEO_PASSES_LOWER_FORMULAS_INDEXHEAP_H
#define CAMEO_PASSES_LOWER_FORMULAS_INDEXHEAP_H

#include "passes/Lower/Builders/LoopBuilder.h"

#include <functional>

namespace cameo::lower {

struct IndexHeap {
  /// Whether the first index comes before the second. The first of all indices is at the top of the heap.
  std::function<mlir::Value(ScalarBuilder &, mlir::Value, mlir::Value)> isBefore;
  /// Returns the indices in the tensor of the heap entry with this number.
  std::function<llvm::SmallVector<mlir::Value>(mlir::Value)> placeOf;

  mlir::Value read(ScalarBuilder &s, mlir::Value heap, mlir::Value entry) const {
    return s.toIndex(s.extract(heap, placeOf(entry)));
  }
  mlir::Value write(ScalarBuilder &s, mlir::Value index, mlir::Value heap, mlir::Value entry) const {
    return insertIndex(s, index, heap, placeOf(entry));
  }

  /// Returns the most steps from the top of a heap of `count` entries to the bottom.
  static mlir::Value countLevels(ScalarBuilder &s, mlir::Value count);
  /// Returns `entries` with its first `count` entries arranged as a heap.
  mlir::Value build(ScalarBuilder &s, mlir::Value entries, mlir::Value count, mlir::Value levels) const;
  /// Returns the heap of `count` entries after the entry at `from` was swapped with children that come before it, in at
  /// most `levels` steps.
  mlir::Value sink(ScalarBuilder &s, mlir::Value heap, mlir::Value from, mlir::Value count, mlir::Value levels) const;
};

} // namespace cameo::lower

#endif
