// Real numbers that models compute from sizes in floating point, as for interpolation by a factor, and sizes rounded
// from them. A real number is a FloatAttr, or a DimRealAttr if it depends on dynamic sizes; null is unknown. Types are
// f32 and f64. Each operation is rounded as at run time, so the sizes are those that the model computes and not those
// of real arithmetic: floor(90*1.3) is 116 in f32.
#ifndef CAMEO_DIALECTS_DIM_DIMREAL_H
#define CAMEO_DIALECTS_DIM_DIMREAL_H

#include "dialects/Dim/Dim.h"

#include <optional>
#include <string>

namespace cameo {

/// Converts a size; returns null for an unknown size.
mlir::Attribute makeReal(const Dim &size, mlir::FloatType type);
/// Returns null for a number that is not finite.
mlir::Attribute makeReal(double number, mlir::FloatType type);
/// Returns the result of an operation on two numbers of one type. Returns null if an operand is null, the result is not
/// finite, or it takes more than 32 operations.
mlir::Attribute computeReal(DimRealKind kind, mlir::Attribute a, mlir::Attribute b);
/// Computes in f64 without rounding to the type. Minimum and maximum of NaN and a number are NaN, as in ONNX.
double computeReal(DimRealKind kind, double a, double b);
/// Converts to another type; returns null if the conversion would round.
mlir::Attribute convertReal(mlir::Attribute real, mlir::FloatType type);

/// Round towards minus infinity, infinity and zero. Return unknown for null, and if the result does not fit into 64
/// bits.
Dim floorReal(mlir::Attribute real);
Dim ceilReal(mlir::Attribute real);
Dim truncReal(mlir::Attribute real);
/// Rounds to the nearest integer, and ties to even.
Dim roundReal(mlir::Attribute real);

/// Whether the number is at least 0 for all values of the dynamic sizes.
bool isNeverNegative(DimRealAttr real);
/// Returns the number with every size replaced; null if that is not possible.
mlir::Attribute replaceSizes(mlir::Attribute real, llvm::function_ref<Dim(const Dim &size)> replace);
/// Whether the number is at its maximum if every size for which `isVaried` holds is.
bool growsWith(mlir::Attribute real, llvm::function_ref<bool(const Dim &size)> isVaried);
/// Calls `visit` for each size in the number, once per occurrence.
void visitSizes(mlir::Attribute real, llvm::function_ref<void(const Dim &size)> visit);
/// Returns the value for estimates of the sizes, without rounding.
double estimateReal(mlir::Attribute real, llvm::function_ref<double(const Dim &size)> estimate);

/// Print and parse a real number, as in `float(h)*0.7`. The parser returns nothing for other texts.
std::string spellReal(mlir::Attribute real);
std::optional<mlir::Attribute> parseReal(llvm::StringRef text, mlir::MLIRContext *context);

} // namespace cameo

#endif // CAMEO_DIALECTS_DIM_DIMREAL_H
