// Dimensions of tensor types as values: a number, a name, or unknown. Names are sums such as `past + 1` or `2*batch`,
// so that sizes computed on different ways through a model are seen to be equal.
#ifndef CAMEO_DIALECTS_ONNX_DIMLIST_H
#define CAMEO_DIALECTS_ONNX_DIMLIST_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"

#include <optional>

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

/// Dimensions of a ranked tensor type, nothing for another type.
std::optional<DimList> getDims(mlir::Type type);
inline std::optional<DimList> getDims(mlir::Value value) { return getDims(value.getType()); }

/// The tensor type with these dimensions; names become its encoding.
mlir::RankedTensorType makeTensorType(llvm::ArrayRef<Dim> dims, mlir::Type elementType);

} // namespace cameo::onnx

#endif // CAMEO_DIALECTS_ONNX_DIMLIST_H
