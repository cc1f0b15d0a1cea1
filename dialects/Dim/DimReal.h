// Real numbers that models compute from sizes in floating point, as interpolation by a factor does, and the sizes that
// they are rounded to. A real number is a FloatAttr, or a DimRealAttr where a run chooses sizes that it is made of;
// null is unknown. Types are f32 and f64. What is computed is rounded at each step as a run rounds it, so a size is the
// one that the model computes, and not that of real arithmetic: floor(90*1.3) is 116 in f32.
#ifndef CAMEO_DIALECTS_DIM_DIMREAL_H
#define CAMEO_DIALECTS_DIM_DIMREAL_H

#include "dialects/Dim/Dim.h"

#include <optional>
#include <string>

namespace cameo {

/// Of that type; null for an unknown size.
mlir::Attribute makeReal(const Dim &size, mlir::FloatType type);
/// Null for a number that is not finite.
mlir::Attribute makeReal(double number, mlir::FloatType type);
/// The result of an operation on two numbers of one type. Null where an operand is, for a result that is not finite,
/// and for more than 32 operations.
mlir::Attribute computeReal(DimRealKind kind, mlir::Attribute a, mlir::Attribute b);
/// The same without rounding. The lesser and the greater of NaN and another number are NaN, as in ONNX.
double computeReal(DimRealKind kind, double a, double b);
/// The same number in another type; null where a run would round it.
mlir::Attribute convertReal(mlir::Attribute real, mlir::FloatType type);

/// The number rounded towards minus infinity, infinity or zero; unknown for null, and where 64 bits do not hold it.
Dim floorReal(mlir::Attribute real);
Dim ceilReal(mlir::Attribute real);
Dim truncReal(mlir::Attribute real);
/// To the nearest whole number, halves to the even one.
Dim roundReal(mlir::Attribute real);

/// Surely at least 0, whatever sizes a run chooses.
bool isNeverNegative(DimRealAttr real);
/// With another size in place of each; null where that cannot be told.
mlir::Attribute replaceSizes(mlir::Attribute real, llvm::function_ref<Dim(const Dim &size)> replace);
/// Whether the number is the greatest where each size that `isVaried` is.
bool growsWith(mlir::Attribute real, llvm::function_ref<bool(const Dim &size)> isVaried);
/// Calls the function with each size that the number is made of, as often as it stands there.
void visitSizes(mlir::Attribute real, llvm::function_ref<void(const Dim &size)> visit);
/// The value for values of the sizes, without rounding.
double estimateReal(mlir::Attribute real, llvm::function_ref<double(const Dim &size)> estimate);

/// `float(h)*0.7`, and what such a text says; nothing for another text.
std::string spellReal(mlir::Attribute real);
std::optional<mlir::Attribute> parseReal(llvm::StringRef text, mlir::MLIRContext *context);

} // namespace cameo

#endif // CAMEO_DIALECTS_DIM_DIMREAL_H
