// Which values of a function also exist in another order of their dimensions, and how to get any order of any value.
#ifndef CAMEO_PASSES_LAYOUT_PERMUTEDVALUES_H
#define CAMEO_PASSES_LAYOUT_PERMUTEDVALUES_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace cameo::layout {

using Perm = llvm::SmallVector<int64_t>;

/// A value under another order: dimension i of the original is dimension places[i] of `value`.
struct Permuted {
  mlir::Value value;
  Perm places;
  bool isComputed = false; // by an op that was rewritten, not by a transpose of the original
};

bool isIdentity(llvm::ArrayRef<int64_t> perm);

/// Channels behind the spatial dimensions: 0, rank - 1, 1, 2, ...
Perm getChannelsLast(int64_t rank);

/// The type with dimension i moved to places[i].
mlir::RankedTensorType permuteType(mlir::RankedTensorType type, llvm::ArrayRef<int64_t> places);

/// Sizes moved likewise.
llvm::SmallVector<int64_t> permuteSizes(llvm::ArrayRef<int64_t> sizes, llvm::ArrayRef<int64_t> places);

/// Dimension i of the operand becomes dimension places[i]; a reshape where only dimensions of size 1 move.
mlir::Value createPermuted(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value,
                           llvm::ArrayRef<int64_t> places);

class PermutedValues {
public:
  /// The order in which the value exists besides its own, or null.
  const Permuted *find(mlir::Value value) const;

  /// States that the original of `value` is gone (`isComputed`) or that it exists in a second order.
  void set(mlir::Value value, Permuted permuted);

  /// The value in the given order; made from what exists if it must be.
  mlir::Value get(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value, llvm::ArrayRef<int64_t> places);

  /// The value in the order it was written with.
  mlir::Value getOriginal(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value);

private:
  llvm::DenseMap<mlir::Value, Permuted> permuted;
  llvm::DenseMap<mlir::Value, mlir::Value> originals; // values whose op was rewritten -> transposed back
  llvm::DenseMap<mlir::Value, llvm::SmallVector<Permuted, 1>> converted;
};

} // namespace cameo::layout

#endif
