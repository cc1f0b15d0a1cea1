// Functions that the shape rules of operators share: checks that report errors at the operation, broadcasting, axes.
// For the .cpp files of this folder.
#ifndef CAMEO_DIALECTS_ONNX_SHAPERULES_H
#define CAMEO_DIALECTS_ONNX_SHAPERULES_H

#include "dialects/Onnx/ConstantData.h"
#include "dialects/Onnx/DimList.h"
#include "dialects/Onnx/KnownTensor.h"
#include "dialects/Onnx/OnnxOps.h"
#include "dialects/Onnx/SizeConstraints.h"

#include "mlir/IR/TypeUtilities.h"

namespace cameo::onnx {

/// Returns the tensor type with these dimensions, unranked if there are none.
mlir::Type makeResultType(const std::optional<DimList> &dims, mlir::Type elementType);

/// op_c2: fails if the type has more dimensions or elements than `TensorLimits.h` allows.
mlir::LogicalResult expectReasonableSize(mlir::Operation *op, mlir::Type type);

/// Return the types of the largest results of NonZero, one row per element, and of NonMaxSuppression. Every run
/// allocates this size.
mlir::Type mostPlaces(mlir::Value x);
mlir::Type mostBoxes(mlir::Value scores, mlir::Value limit);

/// Fails if present operands differ in element type: ONNX's type variable `T`. `operands` are operand numbers.
mlir::LogicalResult expectSameElementType(mlir::Operation *op, llvm::ArrayRef<unsigned> operands);
/// As above, for all operands.
mlir::LogicalResult expectSameElementType(mlir::Operation *op);

/// Fails if a ranked operand has a rank outside of [least, most]; an absent one passes.
mlir::LogicalResult expectRank(mlir::Operation *op, unsigned operand, int64_t least,
                               int64_t most = std::numeric_limits<int64_t>::max());

/// Fails if an operand that is a shape is not a vector, or has more elements than a tensor may have dimensions.
mlir::LogicalResult expectSizeVector(mlir::Operation *op, unsigned operand);

/// Fails if a known index is outside of [-size, size).
mlir::LogicalResult expectIndices(mlir::Operation *op, mlir::Value indices, const Dim &size);

/// Fails if a dimension of a ranked operand differs from `expected` in every run; `meaning` describes the latter in the
/// error. If the sizes are symbolic, adds a constraint that every run checks.
mlir::LogicalResult expectDim(mlir::Operation *op, SizeConstraints &sizes, unsigned operand, int64_t axis,
                              const Dim &expected, llvm::StringRef meaning);
/// As above for all dimensions; also fails if their number differs.
mlir::LogicalResult expectDims(mlir::Operation *op, SizeConstraints &sizes, unsigned operand,
                               llvm::ArrayRef<Dim> expected, llvm::StringRef meaning);

/// Fails if an optional scalar operand is neither of rank 0 nor a vector of one element.
mlir::LogicalResult expectScalar(mlir::Operation *op, SizeConstraints &sizes, unsigned operand);

/// Fails if a present attribute does not have `count` values, or one is outside of [least, most].
mlir::LogicalResult expectInts(mlir::Operation *op, llvm::StringRef name,
                               const std::optional<llvm::ArrayRef<int64_t>> &values, int64_t count, int64_t least,
                               int64_t most);

/// Returns the axis counted from the front. Fails if it is outside of [-rank, rank).
mlir::FailureOr<int64_t> normalizeAxis(mlir::Operation *op, int64_t axis, int64_t rank, llvm::StringRef name = "axis");
/// Returns the axes counted from the front, in the given order. Fails if one is outside of [-rank, rank) or occurs
/// twice.
mlir::FailureOr<llvm::SmallVector<int64_t>> normalizeAxes(mlir::Operation *op, llvm::ArrayRef<int64_t> axes,
                                                          int64_t rank);

/// Returns the broadcast of two dimensions. A symbolic dimension is assumed to be equal to the other one. Returns
/// nothing if they cannot be broadcast.
std::optional<Dim> broadcastDim(const Dim &a, const Dim &b);
/// Returns the broadcast shape of the present operands, none if one is unranked. Fails if they cannot be broadcast.
/// Adds the constraint that every run broadcasts each operand to it.
mlir::FailureOr<std::optional<DimList>> broadcastOperands(mlir::Operation *op, SizeConstraints &sizes,
                                                          mlir::ValueRange operands);
/// The shape rule of pointwise operators. The result has the element type of the operands unless `elementType` is
/// given.
mlir::LogicalResult inferPointwise(mlir::Operation *op, llvm::SmallVectorImpl<mlir::Type> &types,
                                   SizeConstraints &sizes, mlir::Type elementType = {});
/// Returns the more specific of two equal dimensions: a number, then a symbolic dimension, then unknown.
Dim moreSpecific(const Dim &a, const Dim &b);

/// Appends the type of the operand for each result.
void likeOperand(mlir::Operation *op, unsigned operand, llvm::SmallVectorImpl<mlir::Type> &types);

/// Returns the rank of a ranked value, nothing for others.
inline std::optional<int64_t> rankOf(mlir::Value value) {
  auto type = llvm::dyn_cast<mlir::RankedTensorType>(value.getType());
  return type ? std::optional<int64_t>(type.getRank()) : std::nullopt;
}

inline mlir::Type elementTypeOf(mlir::Value value) { return mlir::getElementTypeOrSelf(value.getType()); }

} // namespace cameo::onnx

#endif // CAMEO_DIALECTS_ONNX_SHAPERULES_H
