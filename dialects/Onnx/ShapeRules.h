// What the shape rules of the operators have in common: checks that end in an error at the operation, broadcasting,
// axes. For the .cpp files of this folder.
#ifndef CAMEO_DIALECTS_ONNX_SHAPERULES_H
#define CAMEO_DIALECTS_ONNX_SHAPERULES_H

#include "dialects/Onnx/ConstantData.h"
#include "dialects/Onnx/DimList.h"
#include "dialects/Onnx/KnownTensor.h"
#include "dialects/Onnx/OnnxOps.h"
#include "dialects/Onnx/SizeConstraints.h"

#include "mlir/IR/TypeUtilities.h"

namespace cameo::onnx {

/// The tensor type with these dimensions, unranked without them.
mlir::Type makeResultType(const std::optional<DimList> &dims, mlir::Type elementType);

/// op_c2: fails when the type has more dimensions or more elements than `TensorLimits.h` says.
mlir::LogicalResult expectReasonableSize(mlir::Operation *op, mlir::Type type);

/// The largest results of NonZero, a row per place, and of NonMaxSuppression: room for them is made in every run.
mlir::Type mostPlaces(mlir::Value x);
mlir::Type mostBoxes(mlir::Value scores, mlir::Value limit);

/// Fails when present operands differ in element type: ONNX's type variable `T`. The numbers are those of operands.
mlir::LogicalResult expectSameElementType(mlir::Operation *op, llvm::ArrayRef<unsigned> operands);
/// The same over all operands.
mlir::LogicalResult expectSameElementType(mlir::Operation *op);

/// Fails when a ranked operand has a rank outside [least, most]; an absent one passes.
mlir::LogicalResult expectRank(mlir::Operation *op, unsigned operand, int64_t least,
                               int64_t most = std::numeric_limits<int64_t>::max());

/// Fails when an operand that is a shape is no vector, or one of more sizes than a tensor has dimensions.
mlir::LogicalResult expectSizeVector(mlir::Operation *op, unsigned operand);

/// Fails when an index that is known lies outside [-size, size).
mlir::LogicalResult expectIndices(mlir::Operation *op, mlir::Value indices, const Dim &size);

/// Fails when a dimension of a ranked operand surely differs from what it must be, which `meaning` says; the run is
/// held to it otherwise.
mlir::LogicalResult expectDim(mlir::Operation *op, SizeConstraints &sizes, unsigned operand, int64_t axis,
                              const Dim &expected, llvm::StringRef meaning);
/// The same of all dimensions; fails when there are more or fewer, too.
mlir::LogicalResult expectDims(mlir::Operation *op, SizeConstraints &sizes, unsigned operand,
                               llvm::ArrayRef<Dim> expected, llvm::StringRef meaning);

/// Fails when an absent-or-scalar operand is neither of rank 0 nor a vector of one element.
mlir::LogicalResult expectScalar(mlir::Operation *op, SizeConstraints &sizes, unsigned operand);

/// Fails when there are not `count` values in a present attribute, or one lies outside [least, most].
mlir::LogicalResult expectInts(mlir::Operation *op, llvm::StringRef name,
                               const std::optional<llvm::ArrayRef<int64_t>> &values, int64_t count, int64_t least,
                               int64_t most);

/// Counted from the front. Fails when it lies outside [-rank, rank).
mlir::FailureOr<int64_t> normalizeAxis(mlir::Operation *op, int64_t axis, int64_t rank, llvm::StringRef name = "axis");
/// Counted from the front, in the given order. Fails when one lies outside [-rank, rank) or comes twice.
mlir::FailureOr<llvm::SmallVector<int64_t>> normalizeAxes(mlir::Operation *op, llvm::ArrayRef<int64_t> axes,
                                                          int64_t rank);

/// The broadcast of two dimensions, a name and something else taken to be equal; nothing when they cannot be broadcast.
std::optional<Dim> broadcastDim(const Dim &a, const Dim &b);
/// The broadcast shape of present operands, none when one is unranked. Fails when they cannot be broadcast. Each joins
/// it in every run.
mlir::FailureOr<std::optional<DimList>> broadcastOperands(mlir::Operation *op, SizeConstraints &sizes,
                                                          mlir::ValueRange operands);
/// The rule of pointwise operators; the result has the element type of the operands unless another is given.
mlir::LogicalResult inferPointwise(mlir::Operation *op, llvm::SmallVectorImpl<mlir::Type> &types,
                                   SizeConstraints &sizes, mlir::Type elementType = {});
/// What is known of two dimensions that are equal: a number before a name before nothing.
Dim moreSpecific(const Dim &a, const Dim &b);

/// Results as the operand: its shape and element type.
void likeOperand(mlir::Operation *op, unsigned operand, llvm::SmallVectorImpl<mlir::Type> &types);

/// Rank of a ranked value.
inline std::optional<int64_t> rankOf(mlir::Value value) {
  auto type = llvm::dyn_cast<mlir::RankedTensorType>(value.getType());
  return type ? std::optional<int64_t>(type.getRank()) : std::nullopt;
}

inline mlir::Type elementTypeOf(mlir::Value value) { return mlir::getElementTypeOrSelf(value.getType()); }

} // namespace cameo::onnx

#endif // CAMEO_DIALECTS_ONNX_SHAPERULES_H
