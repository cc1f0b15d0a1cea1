// What the sizes of a run must satisfy. A shape rule states each relation between sizes once: it fails where the
// relation surely does not hold, which the rule reports, and is kept where names leave it to the run. `--require-sizes`
// turns what was kept into expressions that every run checks.
#ifndef CAMEO_DIALECTS_ONNX_SIZECONSTRAINTS_H
#define CAMEO_DIALECTS_ONNX_SIZECONSTRAINTS_H

#include "dialects/Onnx/DimList.h"

namespace cameo::onnx {

class SizeConstraints {
public:
  mlir::LogicalResult requireEqual(const Dim &a, const Dim &b);
  /// Equal to either.
  mlir::LogicalResult requireOneOf(const Dim &dim, const Dim &a, const Dim &b);
  /// `dim` is 1 or equal. Of names, the second: see "Two names that meet are equal" in RATIONALE.md.
  mlir::LogicalResult requireBroadcast(const Dim &dim, const Dim &joint);
  mlir::LogicalResult requireBroadcast(llvm::ArrayRef<Dim> dims, llvm::ArrayRef<Dim> joint);
  mlir::LogicalResult requireAtLeast(const Dim &dim, const Dim &least);
  /// The same where `count` is not 0: what nothing is computed from may be empty.
  mlir::LogicalResult requireAtLeastFor(const Dim &count, const Dim &dim, const Dim &least);
  /// Without remainder. Of 0, only 0 is.
  mlir::LogicalResult requireMultiple(const Dim &dim, const Dim &divisor);

  /// Expressions that are 0 in each run that can be computed, and expressions that are not negative. One that is a
  /// number never holds.
  std::vector<Dim> getZeros() const;
  std::vector<Dim> getNonNegatives() const;

private:
  enum class Relation { Equal, OneOf, AtLeast, AtLeastFor, Multiple };
  struct Constraint {
    Relation relation;
    Dim dim, other, third; ///< the count of AtLeastFor, the second of OneOf
  };
  mlir::LogicalResult keep(Relation relation, const Dim &dim, const Dim &other, const Dim &third = Dim::unknown());

  llvm::SmallVector<Constraint, 4> kept;
};

} // namespace cameo::onnx

#endif // CAMEO_DIALECTS_ONNX_SIZECONSTRAINTS_H
