// Reads, inserts and erases elements of a sequence at a position that only the run knows.
#ifndef CAMEO_FRONTEND_IMPORT_GRAPH_RUNPOSITION_H
#define CAMEO_FRONTEND_IMPORT_GRAPH_RUNPOSITION_H

#include "frontend/Import/Versions/NodeDraft.h"

namespace cameo {

/// Each function fails after an error. Elements may differ in their sizes, not in their rank and element type.
class RunPosition {
public:
  /// Returns an unused name for a size of the result along an axis, or for another size with kNoAxis.
  using NameSize = llvm::function_ref<std::string(int64_t axis)>;
  static constexpr int64_t kNoAxis = std::numeric_limits<int64_t>::max();

  /// Whether `position`, a scalar, is in [-count, count), or in [-count, count] with `mayBeBehind`. `count` is a
  /// scalar. Both are of i64. Returns a scalar of i1, null after an error.
  static mlir::Value isInside(NodeDraft &draft, mlir::Value position, mlir::Value count, bool mayBeBehind);

  /// `position` is an integer tensor with one element that counts from the end if it is negative. A run with a position
  /// that is not inside, as above, ends with CAMEO_INVALID_ARGUMENT.
  static mlir::FailureOr<RunPosition> create(NodeDraft &draft, mlir::Value position, mlir::Value count,
                                             bool mayBeBehind, NameSize nameSize);

  /// The position is a scalar of i64 that every run has inside, counted from the front.
  static RunPosition of(NodeDraft &draft, mlir::Value number, NameSize nameSize) { return {draft, number, nameSize}; }

  /// Returns the position, counted from the front: a scalar of i64.
  mlir::Value getNumber() const { return number; }

  /// Returns the element at the position.
  mlir::FailureOr<mlir::Value> take(llvm::ArrayRef<mlir::Value> elements) const;
  /// Returns the elements with `added` before the one at the position.
  mlir::FailureOr<llvm::SmallVector<mlir::Value>> insert(llvm::ArrayRef<mlir::Value> elements, mlir::Value added) const;
  /// Returns the elements, of which those from the position on are empty along an axis.
  mlir::FailureOr<llvm::SmallVector<mlir::Value>> cut(llvm::ArrayRef<mlir::Value> elements, int64_t axis) const;
  /// Returns the elements without the one at the position.
  mlir::FailureOr<llvm::SmallVector<mlir::Value>> erase(llvm::ArrayRef<mlir::Value> elements) const;

private:
  RunPosition(NodeDraft &draft, mlir::Value number, NameSize nameSize)
      : draft(draft), number(number), nameSize(nameSize) {}

  mlir::LogicalResult expectOneRank(llvm::ArrayRef<mlir::Value> elements) const;
  /// Returns `whenBefore` if `number` is less than `place`, else `otherwise`. `isResult`: whether that is the result,
  /// whose sizes the model may name.
  mlir::FailureOr<mlir::Value> chooseBefore(int64_t place, mlir::Value whenBefore, mlir::Value otherwise,
                                            bool isResult = false) const;

  NodeDraft &draft;
  mlir::Value number;
  NameSize nameSize;
};

} // namespace cameo

#endif // CAMEO_FRONTEND_IMPORT_GRAPH_RUNPOSITION_H
