// A binary heap of indices in a tensor of i64, for what takes few of many in an order (NonMaxSuppression, TopK).
#ifndef CAMEO_PASSES_LOWER_FORMULAS_INDEXHEAP_H
#define CAMEO_PASSES_LOWER_FORMULAS_INDEXHEAP_H

#include "passes/Lower/Builders/LoopBuilder.h"

#include <functional>

namespace cameo::lower {

struct IndexHeap {
  /// Whether the first index comes before the second: the first of all is on top.
  std::function<mlir::Value(ScalarBuilder &, mlir::Value, mlir::Value)> isBefore;
  /// Where the tensor has the entry with this number.
  std::function<llvm::SmallVector<mlir::Value>(mlir::Value)> placeOf;

  mlir::Value read(ScalarBuilder &s, mlir::Value heap, mlir::Value entry) const {
    return s.toIndex(s.extract(heap, placeOf(entry)));
  }
  mlir::Value write(ScalarBuilder &s, mlir::Value index, mlir::Value heap, mlir::Value entry) const {
    return insertIndex(s, index, heap, placeOf(entry));
  }

  /// The most steps from the top of `count` entries to the bottom.
  static mlir::Value countLevels(ScalarBuilder &s, mlir::Value count);
  /// The heap of the first `count` entries.
  mlir::Value build(ScalarBuilder &s, mlir::Value entries, mlir::Value count, mlir::Value levels) const;
  /// The heap of `count` entries in which the one at `from` has changed places with those below it that come before, in
  /// at most `levels` steps.
  mlir::Value sink(ScalarBuilder &s, mlir::Value heap, mlir::Value from, mlir::Value count, mlir::Value levels) const;
};

} // namespace cameo::lower

#endif
