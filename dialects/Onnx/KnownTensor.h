// The elements of a small tensor as far as shape inference knows them: numbers, symbolic dimensions, reals computed
// from these, or unknown. Models compute shapes by operators on small integer tensors. Evaluating these makes shape
// inference exact, and is how the operators fold.
#ifndef CAMEO_DIALECTS_ONNX_KNOWNTENSOR_H
#define CAMEO_DIALECTS_ONNX_KNOWNTENSOR_H

#include "dialects/Dim/DimReal.h"
#include "dialects/Onnx/DimList.h"

#include "mlir/IR/OpDefinition.h"

namespace cameo::onnx {

/// Larger tensors are never evaluated, which limits the cost of folding.
constexpr int64_t kMaxKnownElements = 8192;
/// Reals are part of shape computations only as a few scales; larger tensors of reals are activations and weights.
constexpr int64_t kMaxKnownReals = 64;
/// Folding never creates larger constants.
constexpr int64_t kMaxFoldedBytes = 64 * 1024;

/// One element: `integer` in a tensor of integers or booleans; in a tensor of floats `real`, or `computed` (f32 or f64,
/// as the tensor) if it depends on dynamic sizes.
struct Number {
  Dim integer;
  std::optional<double> real;
  DimRealAttr computed;

  static Number of(Dim value) { return {value, std::nullopt, {}}; }
  static Number ofReal(double value) { return {Dim::unknown(), value, {}}; }
  /// Returns the element for a result of the functions of DimReal.h; unknown for null.
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

/// Returns the elements of a value, evaluated through the operations that define it. Returns nothing if the type is not
/// static, the tensor is too large, or no element is known.
std::optional<KnownTensor> getKnownValue(mlir::Value value);

/// Returns the elements of a one-dimensional integer tensor as dimensions, which may be unknown. Returns nothing if the
/// number of elements is unknown.
std::optional<DimList> getKnownDims(mlir::Value value);

/// Returns all elements of an integer tensor if all are numbers.
std::optional<llvm::SmallVector<int64_t>> getKnownInts(mlir::Value value);
/// Returns the elements of a tensor of f32 or f64 in the form of DimReal.h, null for unknown ones. Returns nothing if
/// the number of elements is unknown.
std::optional<llvm::SmallVector<mlir::Attribute>> getKnownReals(mlir::Value value);

/// Returns all elements of a tensor of floats if all are known numbers.
std::optional<llvm::SmallVector<double>> getKnownFloats(mlir::Value value);

/// Returns a tensor of this type without known elements; nothing if the type is too large or not static.
std::optional<KnownTensor> makeUnknown(mlir::Type type);

/// Applies `element` to the elements of the operands at each index of their broadcast shape. Returns nothing if an
/// operand is unknown (null) or the shapes do not broadcast. Results are rounded to the element type.
std::optional<KnownTensor> mapBroadcast(llvm::ArrayRef<const KnownTensor *> operands, mlir::Type elementType,
                                        llvm::function_ref<Number(llvm::ArrayRef<Number>)> element);

/// The usual KnownValueOp::evaluate: elementwise, with one function for integers, whose operands and result may be
/// symbolic or unknown, and one for floats, whose operands are known numbers. Without a function the results are
/// unknown.
using IntegerFunction = llvm::function_ref<Dim(llvm::ArrayRef<Dim>)>;
using RealFunction = llvm::function_ref<double(llvm::ArrayRef<double>)>;
/// Computes floats that depend on dynamic sizes. It is called if some operands are not numbers.
using ComputedFunction = llvm::function_ref<mlir::Attribute(llvm::ArrayRef<mlir::Attribute>)>;
mlir::LogicalResult evaluateElements(llvm::ArrayRef<const KnownTensor *> operands,
                                     llvm::SmallVectorImpl<KnownTensor> &results, IntegerFunction integerFunction,
                                     RealFunction realFunction, ComputedFunction computedFunction = nullptr);
/// As above with a boolean result; the functions return 0 or 1.
mlir::LogicalResult evaluatePredicate(llvm::ArrayRef<const KnownTensor *> operands,
                                      llvm::SmallVectorImpl<KnownTensor> &results, IntegerFunction integerFunction,
                                      RealFunction realFunction);

/// Returns a tensor of elements of `source`: `offset` returns, for each index in the new shape, the offset in `source`.
/// Returns nothing if the new shape is too large.
std::optional<KnownTensor> selectElements(const KnownTensor &source, llvm::ArrayRef<int64_t> shape,
                                          llvm::function_ref<int64_t(llvm::ArrayRef<int64_t>)> offset);
/// Appends the same elements with the static type of the operation's result, if it has as many elements.
mlir::LogicalResult evaluateReshape(mlir::Operation *op, const KnownTensor *source,
                                    llvm::SmallVectorImpl<KnownTensor> &results);
/// Appends a tensor and succeeds if there is one; the last step of KnownValueOp::evaluate.
mlir::LogicalResult appendKnown(std::optional<KnownTensor> tensor, llvm::SmallVectorImpl<KnownTensor> &results);

/// Returns an element of a tensor of that type in the form of DimReal.h; null if it is unknown or the type is neither
/// f32 nor f64.
mlir::Attribute toReal(const Number &number, mlir::Type type);

/// Converts a number to an element type: wrapped to its width, rounded to its precision, 0 or 1 for booleans.
Number convertNumber(Number number, mlir::Type from, mlir::Type to);

/// Whether a static type has at most kMaxKnownElements elements.
bool isSmall(mlir::ShapedType type);
/// Whether elements of the type can be known: integers up to 64 bits, booleans, f16, bf16, f32, f64.
bool isKnownType(mlir::Type elementType);

/// Return the row-major strides and the number of elements of a static shape.
llvm::SmallVector<int64_t> rowMajorStrides(llvm::ArrayRef<int64_t> shape);
int64_t countElements(llvm::ArrayRef<int64_t> shape);

namespace detail {
/// Folds the operation to an equal operand, or to constants for results whose elements are all known.
mlir::LogicalResult foldKnown(mlir::Operation *op, llvm::SmallVectorImpl<mlir::OpFoldResult> &results);
mlir::OpFoldResult foldKnown(mlir::Operation *op);
} // namespace detail

} // namespace cameo::onnx

#endif // CAMEO_DIALECTS_ONNX_KNOWNTENSOR_H
