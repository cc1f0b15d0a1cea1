// Dimensions of tensor types as values: a number, a name, or unknown. Names are sums such as `past + 1` or `2*batch`,
// so that sizes computed on different ways through a model are seen to be equal.
#ifndef CAMEO_DIALECTS_ONNX_DIMLIST_H
#define CAMEO_DIALECTS_ONNX_DIMLIST_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"

#include <optional>
#include <string>
#include <vector>

namespace cameo::onnx {

class Dim {
public:
  Dim() = default;
  Dim(int64_t size) : size(size) {}
  static Dim unknown() { return Dim(); }
  /// A name in any spelling; without one, unknown.
  static Dim named(mlir::StringAttr name);

  bool isStatic() const { return !mlir::ShapedType::isDynamic(size); }
  bool isNamed() const { return static_cast<bool>(name); }
  bool isUnknown() const { return !isStatic() && !isNamed(); }
  /// The number, or ShapedType::kDynamic.
  int64_t getSize() const { return size; }
  /// The name, null for a static or an unknown dimension.
  mlir::StringAttr getName() const { return name; }

  /// Surely equal whenever the model runs: an unknown dimension equals nothing.
  bool equals(const Dim &other) const;
  /// Surely different.
  bool differsFrom(const Dim &other) const { return isStatic() && other.isStatic() && size != other.size; }

private:
  int64_t size = mlir::ShapedType::kDynamic;
  mlir::StringAttr name;
};

using DimList = llvm::SmallVector<Dim, 5>;

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

struct DimTerm;
/// The sum of products that a dimension is, for those who compute with it; nothing for an unknown one.
std::optional<std::vector<DimTerm>> getTerms(const Dim &dim);
/// One factor of a product: of the model, or of a quotient of sizes (DimLimits.h), a quotient rounded towards minus
/// infinity, or the lesser of a dimension and 0.
struct DimAtom {
  std::string name; ///< empty for the others
  Dim dividend;
  int64_t divisor = 1; ///< 0 for `min(dividend, 0)`
};
struct DimTerm {
  int64_t coefficient;
  std::vector<DimAtom> atoms;
};
/// Greatest values of names, by name.
using DimBounds = llvm::DenseMap<mlir::StringAttr, Dim>;
/// The greatest value of a dimension when each of these names is between 0 and its bound: an expression without them.
/// Unknown where that cannot be told.
Dim upperBound(const Dim &dim, const DimBounds &bounds);
/// Adds the names of the model that the dimension is made of, in the order of its terms.
void collectNames(const Dim &dim, llvm::SetVector<mlir::StringAttr> &names);

/// Dimensions of a ranked tensor type, nothing for another type.
std::optional<DimList> getDims(mlir::Type type);
inline std::optional<DimList> getDims(mlir::Value value) { return getDims(value.getType()); }

/// The tensor type with these dimensions; names become its encoding.
mlir::RankedTensorType makeTensorType(llvm::ArrayRef<Dim> dims, mlir::Type elementType);

} // namespace cameo::onnx

#endif // CAMEO_DIALECTS_ONNX_DIMLIST_H
