// Dimensions of tensors as values: a number, an expression over the names of the model's dimensions, or unknown.
// Expressions are attributes, so sizes computed on different ways through a model are equal where their attributes are.
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

/// A product of an expression.
struct DimTerm {
  int64_t coefficient;
  /// Its atoms in alphabetical order, repeated for powers; null for a number.
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
  /// Unknown where `expr` is null.
  Dim(DimExprAttr expr) : expr(expr) {}
  static Dim unknown() { return Dim(); }
  /// A name of the model; unknown for "" and null.
  static Dim named(mlir::StringAttr name) { return name && !name.empty() ? atom(name) : Dim(); }
  /// One atom of expressions alone; unknown where it is written with more than 16384 others.
  static Dim atom(mlir::Attribute atom);

  bool isStatic() const { return !mlir::ShapedType::isDynamic(size); }
  /// Whether it is an expression.
  bool isNamed() const { return static_cast<bool>(expr); }
  bool isUnknown() const { return !isStatic() && !isNamed(); }
  /// The number, or ShapedType::kDynamic.
  int64_t getSize() const { return size; }
  /// Null for a static or an unknown dimension.
  DimExprAttr getExpr() const { return expr; }
  /// The name, where the dimension is one of the model alone; null otherwise.
  mlir::StringAttr getName() const;
  /// The number, the expression, or "?".
  std::string getText() const;

  /// Surely equal whenever the model runs: an unknown dimension equals nothing.
  bool equals(const Dim &other) const { return !isUnknown() && size == other.size && expr == other.expr; }
  /// Surely different.
  bool differsFrom(const Dim &other) const { return isStatic() && other.isStatic() && size != other.size; }

  friend llvm::hash_code hash_value(const Dim &dim) { return llvm::hash_combine(dim.size, dim.expr); }

private:
  int64_t size = mlir::ShapedType::kDynamic;
  DimExprAttr expr;
};

/// Whether a size became unknown in this thread, since the watch began, because it is written with too many atoms or
/// terms: errors tell that from a size which data decides. Watches may be nested.
class DimLengthWatch {
public:
  DimLengthWatch();
  ~DimLengthWatch();
  DimLengthWatch(const DimLengthWatch &) = delete;
  bool hasSeenTooLong() const { return seen; }
  /// The most atoms and terms that a size is written with.
  static int64_t getMaxAtoms();
  static int64_t getMaxTerms();
  /// Called where a size becomes unknown for that reason.
  static void note();

private:
  DimLengthWatch *outer;
  bool seen = false;
};

/// What the text of an expression or a number says; nothing where 64 bits do not hold a number of it.
std::optional<Dim> parseDim(llvm::StringRef text, mlir::MLIRContext *context);

/// Sums and products; unknown where an operand is, or where 64 bits do not hold the result.
Dim addDims(const Dim &a, const Dim &b);
Dim subDims(const Dim &a, const Dim &b);
Dim mulDims(const Dim &a, const Dim &b);
/// Division rounded towards minus infinity by a positive number.
Dim floorDivDim(const Dim &a, int64_t divisor);
/// a / b when that is surely without remainder (by name or number), unknown otherwise.
Dim exactDivDims(const Dim &a, const Dim &b);
Dim productOf(llvm::ArrayRef<Dim> dims);

inline Dim operator+(const Dim &a, const Dim &b) { return addDims(a, b); }
inline Dim operator-(const Dim &a, const Dim &b) { return subDims(a, b); }
inline Dim operator*(const Dim &a, const Dim &b) { return mulDims(a, b); }
inline Dim operator/(const Dim &a, int64_t divisor) { return floorDivDim(a, divisor); }
/// Surely equal, and not that.
inline bool operator==(const Dim &a, const Dim &b) { return a.equals(b); }
inline bool operator!=(const Dim &a, const Dim &b) { return !a.equals(b); }

/// The terms of the sum that a dimension is: of a number one, none for an unknown dimension.
llvm::SmallVector<DimTerm, 2> getTerms(const Dim &dim);
/// Adds the names of the model that the dimension is made of, in the order of its terms.
void collectNames(const Dim &dim, llvm::SetVector<mlir::StringAttr> &names);

} // namespace cameo

#endif // CAMEO_DIALECTS_DIM_DIM_H
