// What inference can tell of the elements of a small tensor: numbers, named dimensions, reals computed from these, or
// nothing. Models compute shapes by operators on small integer tensors; evaluating them here makes shape inference
// exact, and is how they fold.
#ifndef CAMEO_DIALECTS_ONNX_KNOWNTENSOR_H
#define CAMEO_DIALECTS_ONNX_KNOWNTENSOR_H

#include "dialects/Dim/DimReal.h"
#include "dialects/Onnx/DimList.h"

#include "mlir/IR/OpDefinition.h"

namespace cameo::onnx {

/// Tensors of more elements are never evaluated, so that folding cannot explode.
constexpr int64_t kMaxKnownElements = 8192;
/// Reals take part in shapes only as a few scales; larger tensors of them are activations and weights.
constexpr int64_t kMaxKnownReals = 64;
/// Constants of more bytes are never made by folding.
constexpr int64_t kMaxFoldedBytes = 64 * 1024;

/// One element: `integer` of a tensor of integers or booleans, `real` of a tensor of floats, or `computed` where these
/// are no number but follow from sizes of the run; that is f32 or f64, as the tensor.
struct Number {
  Dim integer;
  std::optional<double> real;
  DimRealAttr computed;

  static Number of(Dim value) { return {value, std::nullopt, {}}; }
  static Number ofReal(double value) { return {Dim::unknown(), value, {}}; }
  /// Of what DimReal.h makes; unknown for null.
  static Number ofReal(mlir::Attribute real);
  static Number unknown() { return {}; }
  bool isKnown() const { return integer.isStatic() || real.has_value(); }
};

struct KnownTensor {
  llvm::SmallVector<int64_t> shape;
  mlir::Type elementType;
  llvm::SmallVector<Number> elements;

  bool isReal() const { return llvm::isa<mlir::FloatType>(elementType); }
  bool isFullyKnown() const;
  int64_t rank() const { return shape.size(); }
};

/// Elements of a value, looking through the operations that make it. Nothing when the type is not static, the tensor is
/// large, or no element can be told.
std::optional<KnownTensor> getKnownValue(mlir::Value value);

/// The elements of a one-dimensional tensor of integers as dimensions, unknown ones included: as many as the type says.
/// Nothing when their number is unknown.
std::optional<DimList> getKnownDims(mlir::Value value);

/// All elements of a tensor of integers, when all are numbers.
std::optional<llvm::SmallVector<int64_t>> getKnownInts(mlir::Value value);
/// The elements of a tensor of f32 or f64 as DimReal.h has them, null where they are unknown. Nothing when their number
/// is unknown.
std::optional<llvm::SmallVector<mlir::Attribute>> getKnownReals(mlir::Value value);

/// All elements of a tensor of floats, when all are known.
std::optional<llvm::SmallVector<double>> getKnownFloats(mlir::Value value);

/// The tensor of this type without a known element; nothing when it is too large or not static.
std::optional<KnownTensor> makeUnknown(mlir::Type type);

/// Applies `element` to the elements of the operands at each place of their broadcast shape. Nothing when an operand is
/// unknown (null) or the shapes do not fit. The results are rounded to the element type.
std::optional<KnownTensor> mapBroadcast(llvm::ArrayRef<const KnownTensor *> operands, mlir::Type elementType,
                                        llvm::function_ref<Number(llvm::ArrayRef<Number>)> element);

/// The common case of KnownValueOp::evaluate: element by element, with one function for integers, which may give names
/// or unknown, and one for floats, called with known values only. A missing function tells nothing.
using IntegerFunction = llvm::function_ref<Dim(llvm::ArrayRef<Dim>)>;
using RealFunction = llvm::function_ref<double(llvm::ArrayRef<double>)>;
/// The third computes with floats that follow from sizes of the run, and is called where some are no numbers.
using ComputedFunction = llvm::function_ref<mlir::Attribute(llvm::ArrayRef<mlir::Attribute>)>;
mlir::LogicalResult evaluateElements(llvm::ArrayRef<const KnownTensor *> operands,
                                     llvm::SmallVectorImpl<KnownTensor> &results, IntegerFunction integerFunction,
                                     RealFunction realFunction, ComputedFunction computedFunction = nullptr);
/// The same with a boolean result; the functions give 0 or 1.
mlir::LogicalResult evaluatePredicate(llvm::ArrayRef<const KnownTensor *> operands,
                                      llvm::SmallVectorImpl<KnownTensor> &results, IntegerFunction integerFunction,
                                      RealFunction realFunction);

/// A tensor whose elements are chosen from `source`: `offset` gives, for each index of the new shape, where to read.
/// Nothing when the new shape is too large.
std::optional<KnownTensor> selectElements(const KnownTensor &source, llvm::ArrayRef<int64_t> shape,
                                          llvm::function_ref<int64_t(llvm::ArrayRef<int64_t>)> offset);
/// The same elements under the static type of the operation's result, when they are as many.
mlir::LogicalResult evaluateReshape(mlir::Operation *op, const KnownTensor *source,
                                    llvm::SmallVectorImpl<KnownTensor> &results);
/// Appends a tensor if there is one; what `evaluate` of KnownValueOp ends with.
mlir::LogicalResult appendKnown(std::optional<KnownTensor> tensor, llvm::SmallVectorImpl<KnownTensor> &results);

/// An element of a tensor of that type as DimReal.h has it; null where it is unknown, and for another type than f32 and
/// f64.
mlir::Attribute toReal(const Number &number, mlir::Type type);

/// A number as an element of this type: wrapped to its width, rounded to its precision, 0 or 1 for booleans.
Number convertNumber(Number number, mlir::Type from, mlir::Type to);

/// Whether a static type has at most kMaxKnownElements elements.
bool isSmall(mlir::ShapedType type);
/// Whether elements of the type can be told: integers up to 64 bits, booleans, f16, bf16, f32, f64.
bool isKnownType(mlir::Type elementType);

/// Row-major strides and the number of elements of a static shape.
llvm::SmallVector<int64_t> rowMajorStrides(llvm::ArrayRef<int64_t> shape);
int64_t countElements(llvm::ArrayRef<int64_t> shape);

namespace detail {
/// What the operation folds to: an equal operand, or constants for results whose elements are all known.
mlir::LogicalResult foldKnown(mlir::Operation *op, llvm::SmallVectorImpl<mlir::OpFoldResult> &results);
mlir::OpFoldResult foldKnown(mlir::Operation *op);
} // namespace detail

} // namespace cameo::onnx

#endif // CAMEO_DIALECTS_ONNX_KNOWNTENSOR_H
