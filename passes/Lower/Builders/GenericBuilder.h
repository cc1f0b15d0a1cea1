// Builds the tensor computations that tasks consist of after lowering: linalg.generic with explicit maps, and the few
// tensor operations beside it. README.md states the form that the emitter relies on.
#ifndef CAMEO_PASSES_LOWER_BUILDERS_GENERICBUILDER_H
#define CAMEO_PASSES_LOWER_BUILDERS_GENERICBUILDER_H

#include "passes/Lower/Builders/ScalarBuilder.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace cameo::lower {

/// Sizes, mostly of a tensor: static ones or symbolic expressions.
using Shape = llvm::SmallVector<Dim, 6>;
using ShapeRef = llvm::ArrayRef<Dim>;
using Ints = llvm::SmallVector<int64_t, 6>;
using IntsRef = llvm::ArrayRef<int64_t>;
using Exprs = llvm::SmallVector<mlir::AffineExpr, 6>;
using Values = llvm::SmallVector<mlir::Value, 2>;

/// The element of a tensor that each iteration of the loops accesses.
struct Access {
  mlir::Value tensor;
  Exprs index;
};

/// A loop nest: `parallel` loops d0, d1, ... and after them `reduction` loops.
struct Loops {
  unsigned parallel = 0;
  unsigned reduction = 0;
};

Shape shapeOf(mlir::Value tensor);
mlir::Type elementOf(mlir::Value tensor);
int64_t rankOf(mlir::Value tensor);
/// Number of elements.
Dim sizeOf(ShapeRef shape);
int64_t sizeOf(IntsRef shape);
bool isStatic(ShapeRef shape);
/// Converts between the two forms of sizes. `toInts` requires static sizes.
Ints toInts(ShapeRef shape);
Shape toShape(IntsRef sizes);
/// Returns the non-negative form of an ONNX axis.
inline int64_t normalizeAxis(int64_t axis, int64_t rank) { return axis < 0 ? axis + rank : axis; }

class GenericBuilder : public mlir::ImplicitLocOpBuilder {
public:
  using ImplicitLocOpBuilder::ImplicitLocOpBuilder;
  /// Gets the elements of the inputs, returns the element of the result.
  using Body = llvm::function_ref<mlir::Value(ScalarBuilder &, mlir::ValueRange)>;
  /// Gets the elements of the inputs and then the accumulators, returns the new accumulators.
  using ReductionBody = llvm::function_ref<Values(ScalarBuilder &, mlir::ValueRange)>;

  mlir::AffineExpr dim(unsigned number) { return getAffineDimExpr(number); }
  mlir::AffineExpr fixed(int64_t value) { return getAffineConstantExpr(value); }
  /// Returns the loop dimensions d(first) ... d(first + count - 1).
  Exprs dims(unsigned count, unsigned first = 0);

  // Sources of tensors.
  mlir::Value empty(ShapeRef shape, mlir::Type element);
  mlir::Value filled(ShapeRef shape, mlir::TypedAttr value);
  mlir::Value constant(mlir::DenseElementsAttr value);
  mlir::Value constantInts(mlir::ArrayRef<int64_t> values);
  mlir::Value constantFloats(mlir::Type element, mlir::ArrayRef<double> values);

  /// Returns a size as an index: a constant, or a task.size for a dynamic one.
  mlir::Value size(const Dim &dim);
  mlir::OpFoldResult fold(const Dim &dim);
  llvm::SmallVector<mlir::OpFoldResult> fold(ShapeRef dims);
  mlir::RankedTensorType typeOf(ShapeRef shape, mlir::Type element) { return onnx::makeTensorType(shape, element); }

  // Data movement without computation.
  mlir::Value pad(mlir::Value tensor, ShapeRef low, ShapeRef high, mlir::Value value);
  mlir::Value pad(mlir::Value tensor, ShapeRef low, ShapeRef high, mlir::TypedAttr value);
  mlir::Value slice(mlir::Value tensor, ShapeRef offsets, ShapeRef sizes, IntsRef strides);
  mlir::Value insert(mlir::Value part, mlir::Value into, ShapeRef offsets, IntsRef strides);
  /// As slice and insert, at offsets that are computed at run time.
  mlir::Value sliceAt(mlir::Value tensor, mlir::ArrayRef<mlir::OpFoldResult> offsets, ShapeRef sizes, IntsRef strides);
  mlir::Value insertAt(mlir::Value part, mlir::Value into, mlir::ArrayRef<mlir::OpFoldResult> offsets, IntsRef strides);
  /// Returns the same elements in row-major order in another shape.
  mlir::Value reshape(mlir::Value tensor, ShapeRef shape);
  /// Casts the tensor to a type that states more or fewer static sizes.
  mlir::Value castTo(mlir::Value tensor, ShapeRef shape);
  /// Splits dimension `axis` into `sizes`.
  mlir::Value splitDim(mlir::Value tensor, int64_t axis, ShapeRef sizes);
  /// Collapses `count` dimensions from `first` on.
  mlir::Value joinDims(mlir::Value tensor, int64_t first, int64_t count);
  mlir::Value transpose(mlir::Value tensor, mlir::ArrayRef<int64_t> permutation);
  mlir::Value broadcast(mlir::Value tensor, ShapeRef shape);

  // Accesses in loops over the dimensions of `shape`.
  Access whole(mlir::Value tensor) { return {tensor, dims(rankOf(tensor))}; }
  /// Broadcasts as NumPy: dimensions are aligned at the last one, and size 1 repeats. If the types do not say whether a
  /// dynamic dimension is 1 or equal, the task decides at run time.
  Access spread(mlir::Value tensor, ShapeRef shape);
  /// Accesses a tensor of one dimension, or of one element, along `axis`.
  Access along(mlir::Value tensor, int64_t axis);
  /// Accesses a tensor of one element.
  Access single(mlir::Value tensor);

  /// Builds a parallel linalg.generic over `shape`. Elements are not converted.
  mlir::Value map(ShapeRef shape, mlir::Type element, mlir::ArrayRef<Access> inputs, Body body);
  /// Builds a parallel linalg.generic over `shape` that computes in f32 for narrower float elements.
  mlir::Value compute(ShapeRef shape, mlir::Type element, mlir::ArrayRef<Access> inputs, Body body);
  /// As `compute`, for tensors that are broadcast to `shape`.
  mlir::Value elementwise(ShapeRef shape, mlir::Type element, mlir::ArrayRef<mlir::Value> inputs, Body body);
  /// Builds any linalg.generic. The tensors of `results` are the initial values.
  Values generic(Loops loops, mlir::ArrayRef<Access> inputs, mlir::ArrayRef<Access> results, ReductionBody body);
  /// Converts every element of a tensor; returns the tensor itself if it has the type.
  mlir::Value convert(mlir::Value tensor, mlir::Type element, Sign from = Sign::Signed, Sign to = Sign::Signed);

  /// Reduces all of `axes`. The parallel loops are the other dimensions in order, followed by a reduction loop for each
  /// of `axes`. The result lacks the axes, or has size 1 there. Input elements are widened before they are passed to
  /// `body`.
  mlir::Value reduce(mlir::Value tensor, mlir::ArrayRef<int64_t> axes, bool keepDims, mlir::TypedAttr initial,
                     Body body);
  /// Returns the index at which the loops of `reduce` access the input.
  Exprs reducedIndex(int64_t rank, mlir::ArrayRef<int64_t> axes);

private:
  mlir::Value reshapeSymbolically(mlir::Value tensor, ShapeRef shape);
  mlir::Value repeatWhereOne(mlir::Value tensor, ShapeRef shape);
};

} // namespace cameo::lower

#endif
