// Builds the tensor computations that tasks consist of after lowering: linalg.generic with explicit maps, and the few
// tensor operations beside it. README.md states the form that the emitter relies on.
#ifndef CAMEO_PASSES_LOWER_BUILDERS_GENERICBUILDER_H
#define CAMEO_PASSES_LOWER_BUILDERS_GENERICBUILDER_H

#include "passes/Lower/Builders/ScalarBuilder.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace cameo::lower {

/// Sizes, of a tensor mostly: numbers, or names of what is known at run time.
using Shape = llvm::SmallVector<Dim, 6>;
using ShapeRef = llvm::ArrayRef<Dim>;
using Ints = llvm::SmallVector<int64_t, 6>;
using IntsRef = llvm::ArrayRef<int64_t>;
using Exprs = llvm::SmallVector<mlir::AffineExpr, 6>;
using Values = llvm::SmallVector<mlir::Value, 2>;

/// One element of a tensor per point of the loops.
struct Access {
  mlir::Value tensor;
  Exprs index;
};

/// Loops over `parallel` dimensions d0.. and, after them, `reduction` ones.
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
/// The sizes as what they are in the other form; the first needs static ones.
Ints toInts(ShapeRef shape);
Shape toShape(IntsRef sizes);
/// Non-negative form of an axis of ONNX.
inline int64_t normalizeAxis(int64_t axis, int64_t rank) { return axis < 0 ? axis + rank : axis; }

class GenericBuilder : public mlir::ImplicitLocOpBuilder {
public:
  using ImplicitLocOpBuilder::ImplicitLocOpBuilder;
  /// Gets the inputs' elements; gives the element of the result.
  using Body = llvm::function_ref<mlir::Value(ScalarBuilder &, mlir::ValueRange)>;
  /// Gets the inputs' elements and then the running results; gives the new ones.
  using ReductionBody = llvm::function_ref<Values(ScalarBuilder &, mlir::ValueRange)>;

  mlir::AffineExpr dim(unsigned number) { return getAffineDimExpr(number); }
  mlir::AffineExpr fixed(int64_t value) { return getAffineConstantExpr(value); }
  /// d0 ... d(count-1), from `first` on.
  Exprs dims(unsigned count, unsigned first = 0);

  // Sources of tensors.
  mlir::Value empty(ShapeRef shape, mlir::Type element);
  mlir::Value filled(ShapeRef shape, mlir::TypedAttr value);
  mlir::Value constant(mlir::DenseElementsAttr value);
  mlir::Value constantInts(mlir::ArrayRef<int64_t> values);
  mlir::Value constantFloats(mlir::Type element, mlir::ArrayRef<double> values);

  /// A size as an index: a constant, or read when the task runs.
  mlir::Value size(const Dim &dim);
  mlir::OpFoldResult fold(const Dim &dim);
  llvm::SmallVector<mlir::OpFoldResult> fold(ShapeRef dims);
  mlir::RankedTensorType typeOf(ShapeRef shape, mlir::Type element) { return onnx::makeTensorType(shape, element); }

  // Movement without computation.
  mlir::Value pad(mlir::Value tensor, ShapeRef low, ShapeRef high, mlir::Value value);
  mlir::Value pad(mlir::Value tensor, ShapeRef low, ShapeRef high, mlir::TypedAttr value);
  mlir::Value slice(mlir::Value tensor, ShapeRef offsets, ShapeRef sizes, IntsRef strides);
  mlir::Value insert(mlir::Value part, mlir::Value into, ShapeRef offsets, IntsRef strides);
  /// slice and insert at offsets that are computed.
  mlir::Value sliceAt(mlir::Value tensor, mlir::ArrayRef<mlir::OpFoldResult> offsets, ShapeRef sizes, IntsRef strides);
  mlir::Value insertAt(mlir::Value part, mlir::Value into, mlir::ArrayRef<mlir::OpFoldResult> offsets, IntsRef strides);
  /// The same elements, row-major, in another shape.
  mlir::Value reshape(mlir::Value tensor, ShapeRef shape);
  /// The tensor under a type that knows more or fewer sizes.
  mlir::Value castTo(mlir::Value tensor, ShapeRef shape);
  /// Splits dimension `axis` into `sizes`.
  mlir::Value splitDim(mlir::Value tensor, int64_t axis, ShapeRef sizes);
  /// Joins `count` dimensions from `first` on.
  mlir::Value joinDims(mlir::Value tensor, int64_t first, int64_t count);
  mlir::Value transpose(mlir::Value tensor, mlir::ArrayRef<int64_t> permutation);
  mlir::Value broadcast(mlir::Value tensor, ShapeRef shape);

  // Accesses over loops that are the dimensions of `shape`.
  Access whole(mlir::Value tensor) { return {tensor, dims(rankOf(tensor))}; }
  /// As NumPy: aligned at the last dimension, size 1 repeats. A dimension that the types do not tell to be 1 or equal
  /// is read as either, when the task runs.
  Access spread(mlir::Value tensor, ShapeRef shape);
  /// A tensor of one dimension (or one element) along `axis`.
  Access along(mlir::Value tensor, int64_t axis);
  /// A tensor of one element.
  Access single(mlir::Value tensor);

  /// A parallel generic over `shape`. The elements come and go as they are.
  mlir::Value map(ShapeRef shape, mlir::Type element, mlir::ArrayRef<Access> inputs, Body body);
  /// A parallel generic over `shape` that computes in f32 where the elements are narrower floats.
  mlir::Value compute(ShapeRef shape, mlir::Type element, mlir::ArrayRef<Access> inputs, Body body);
  /// Compute over tensors broadcast to `shape`.
  mlir::Value elementwise(ShapeRef shape, mlir::Type element, mlir::ArrayRef<mlir::Value> inputs, Body body);
  /// The most general form; `results` start from their tensors.
  Values generic(Loops loops, mlir::ArrayRef<Access> inputs, mlir::ArrayRef<Access> results, ReductionBody body);
  /// Converts every element of a tensor; the tensor itself when it has the type.
  mlir::Value convert(mlir::Value tensor, mlir::Type element, Sign from = Sign::Signed, Sign to = Sign::Signed);

  /// A reduction of all of `axes`: parallel loops are the other dimensions in order, then come `axes`. The result lacks
  /// the axes, or has size 1 there. Input elements are widened before `body` sees them.
  mlir::Value reduce(mlir::Value tensor, mlir::ArrayRef<int64_t> axes, bool keepDims, mlir::TypedAttr initial,
                     Body body);
  /// Where the loops of `reduce` read a tensor of the shape of the reduced one's input.
  Exprs reducedIndex(int64_t rank, mlir::ArrayRef<int64_t> axes);

private:
  mlir::Value reshapeSymbolically(mlir::Value tensor, ShapeRef shape);
  mlir::Value repeatWhereOne(mlir::Value tensor, ShapeRef shape);
};

} // namespace cameo::lower

#endif
