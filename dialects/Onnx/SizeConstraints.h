// The constraints on sizes at run time. A shape rule states each relation between sizes once. It fails if the relation
// never holds, which the rule reports; if the sizes are symbolic, the relation is kept. `--require-sizes` converts kept
// relations to expressions that every run checks.
#ifndef CAMEO_DIALECTS_ONNX_SIZECONSTRAINTS_H
#define CAMEO_DIALECTS_ONNX_SIZECONSTRAINTS_H

#include "dialects/Onnx/DimList.h"

namespace cameo::onnx {

class SizeConstraints {
public:
  mlir::LogicalResult requireEqual(const Dim &a, const Dim &b);
  /// Requires that `dim` is equal to `a` or `b`.
  mlir::LogicalResult requireOneOf(const Dim &dim, const Dim &a, const Dim &b);
  /// Requires that `dim` is 1 or equal to `joint`. Symbolic dimensions must be equal: see "Two names that meet are
  /// equal" in RATIONALE.md.
  mlir::LogicalResult requireBroadcast(const Dim &dim, const Dim &joint);
  mlir::LogicalResult requireBroadcast(llvm::ArrayRef<Dim> dims, llvm::ArrayRef<Dim> joint);
  mlir::LogicalResult requireAtLeast(const Dim &dim, const Dim &least);
  /// Requires that `dim` is at least `least` if `count` is not 0. Operands from which nothing is computed may be empty.
  mlir::LogicalResult requireAtLeastFor(const Dim &count, const Dim &dim, const Dim &least);
  /// Requires a division without remainder. The only multiple of 0 is 0.
  mlir::LogicalResult requireMultiple(const Dim &dim, const Dim &divisor);

  /// Return expressions that must be 0, and expressions that must not be negative, in every run. An expression that is
  /// a number never satisfies this.
  std::vector<Dim> getZeros() const;
  std::vector<Dim> getNonNegatives() const;

private:
  enum class Relation { Equal, OneOf, AtLeast, AtLeastFor, Multiple };
  struct Constraint {
    Relation relation;
    Dim dim, other, third; ///< the count of AtLeastFor, the second alternative of OneOf
  };
  mlir::LogicalResult keep(Relation relation, const Dim &dim, const Dim &other, const Dim &third = Dim::unknown());

  llvm::SmallVector<Constraint, 4> kept;
};

} // namespace cameo::onnx

#endif // CAMEO_DIALECTS_ONNX_SIZECONSTRAINTS_H
