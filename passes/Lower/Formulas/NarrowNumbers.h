// Numbers of less than 8 bits, and floats of 8: bits at the low end of a byte each, the rest of it 0. Nothing but
// conversions computes with them. Formats: OCP 8-bit Floating Point Specification, OCP Microscaling Formats, and ONNX's
// notes on FNUZ.
#ifndef CAMEO_PASSES_LOWER_FORMULAS_NARROWNUMBERS_H
#define CAMEO_PASSES_LOWER_FORMULAS_NARROWNUMBERS_H

#include "passes/Lower/Builders/ScalarBuilder.h"

namespace cameo::lower {

/// Whether elements of an onnx type are kept as bytes: float8, float4, and integers of 2 and 4 bits.
bool isNarrow(mlir::Type type);

/// The number that a byte stands for: f32 for floats, i8 for integers.
mlir::Value decodeNarrow(ScalarBuilder &s, mlir::Value byte, mlir::Type type);

struct NarrowRounding {
  bool saturates = true;
  /// Of float8e8m0: "up", "down" or "nearest".
  llvm::StringRef mode = "up";
};

/// The byte of a float (f32 or f64) in a narrow format of floats, rounded to nearest even (float8e8m0 as told).
mlir::Value encodeNarrowFloat(ScalarBuilder &s, mlir::Value number, mlir::FloatType type, NarrowRounding rounding);

/// The byte of an integer of 8 bits or more in a narrow type of integers: higher bits are lost.
mlir::Value encodeNarrowInteger(ScalarBuilder &s, mlir::Value integer, mlir::IntegerType type);

} // namespace cameo::lower

#endif
