// Dimensions of tensors as values: a number, an expression over the symbolic dimensions of the model, or unknown.
// Expressions are uniqued attributes, so two sizes that were computed in different places are equal if their attributes
// are.
#ifndef CAMEO_DIALECTS_DIM_DIM_H
#define CAMEO_DIALECTS_DIM_DIM_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"

#include <optional>
#include <string>

namespace cameo {

class Dim;

/// A term of a sum: a product with a coefficient.
struct DimTerm {
  int64_t coefficient;
  /// The atoms in alphabetical order, repeated for powers; null for a constant.
  mlir::ArrayAttr product;

  llvm::ArrayRef<mlir::Attribute> getAtoms() const {
    return product ? product.getValue() : llvm::ArrayRef<mlir::Attribute>();
  }
  bool operator==(const DimTerm &other) const = default;
  friend llvm::hash_code hash_value(const DimTerm &term) { return llvm::hash_combine(term.coefficient, term.product); }
};

/// How a DimRealAttr is computed.
enum class DimRealKind { Size, Add, Sub, Mul, Div, Min, Max, Round };

} // namespace cameo

#include "dialects/Dim/DimDialect.h.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/Dim/DimAttributes.h.inc"

namespace cameo {

class Dim {
public:
  Dim() = default;
  Dim(int64_t size) : size(size) {}
  /// Unknown if `expr` is null.
  Dim(DimExprAttr expr) : expr(expr) {}
  static Dim unknown() { return Dim(); }
  /// A symbolic dimension of the model; unknown for "" and null.
  static Dim named(mlir::StringAttr name) { return name && !name.empty() ? atom(name) : Dim(); }
  /// An expression of one atom; unknown if it consists of more than 16384 atoms.
  static Dim atom(mlir::Attribute atom);

  bool isStatic() const { return !mlir::ShapedType::isDynamic(size); }
  /// Whether the dimension is an expression.
  bool isNamed() const { return static_cast<bool>(expr); }
  bool isUnknown() const { return !isStatic() && !isNamed(); }
  /// Returns the number, or ShapedType::kDynamic.
  int64_t getSize() const { return size; }
  /// Returns null for a static or an unknown dimension.
  DimExprAttr getExpr() const { return expr; }
  /// Returns the name if the dimension is a symbolic dimension alone, otherwise null.
  mlir::StringAttr getName() const;
  /// Returns the number, the expression, or "?".
  std::string getText() const;

  /// Whether the dimensions are equal in every run. An unknown dimension equals nothing.
  bool equals(const Dim &other) const { return !isUnknown() && size == other.size && expr == other.expr; }
  /// Whether the dimensions differ in every run.
  bool differsFrom(const Dim &other) const { return isStatic() && other.isStatic() && size != other.size; }

  friend llvm::hash_code hash_value(const Dim &dim) { return llvm::hash_combine(dim.size, dim.expr); }

private:
  int64_t size = mlir::ShapedType::kDynamic;
  DimExprAttr expr;
};

/// Records whether a size has become unknown in this thread during the lifetime of this object because its expression
/// has too many atoms or terms. Errors distinguish such sizes from those that depend on data. Objects may be nested.
class DimLengthWatch {
public:
  DimLengthWatch();
  ~DimLengthWatch();
  DimLengthWatch(const DimLengthWatch &) = delete;
  bool hasSeenTooLong() const { return seen; }
  /// Limits of the atoms and terms of a size.
  static int64_t getMaxAtoms();
  static int64_t getMaxTerms();
  /// Called when a size becomes unknown because of these limits.
  static void note();

private:
  DimLengthWatch *outer;
  bool seen = false;
};

/// Parses an expression or a number. Returns nothing for other texts, and if a number does not fit into 64 bits.
std::optional<Dim> parseDim(llvm::StringRef text, mlir::MLIRContext *context);

/// Return sums and products; unknown if an operand is unknown or a coefficient does not fit into 64 bits.
Dim addDims(const Dim &a, const Dim &b);
Dim subDims(const Dim &a, const Dim &b);
Dim mulDims(const Dim &a, const Dim &b);
/// Returns a / divisor rounded towards minus infinity. `divisor` must be positive.
Dim floorDivDim(const Dim &a, int64_t divisor);
/// Returns a / b if the division has no remainder in any run, otherwise unknown.
Dim exactDivDims(const Dim &a, const Dim &b);
Dim productOf(llvm::ArrayRef<Dim> dims);

inline Dim operator+(const Dim &a, const Dim &b) { return addDims(a, b); }
inline Dim operator-(const Dim &a, const Dim &b) { return subDims(a, b); }
inline Dim operator*(const Dim &a, const Dim &b) { return mulDims(a, b); }
inline Dim operator/(const Dim &a, int64_t divisor) { return floorDivDim(a, divisor); }
/// Whether the dimensions are equal in every run, and the negation.
inline bool operator==(const Dim &a, const Dim &b) { return a.equals(b); }
inline bool operator!=(const Dim &a, const Dim &b) { return !a.equals(b); }

/// Returns the terms of the sum: one for a number, none for an unknown dimension.
llvm::SmallVector<DimTerm, 2> getTerms(const Dim &dim);
/// Adds the symbolic dimensions that the expression uses, in the order of its terms.
void collectNames(const Dim &dim, llvm::SetVector<mlir::StringAttr> &names);

} // namespace cameo

#endif // CAMEO_DIALECTS_DIM_DIM_H
