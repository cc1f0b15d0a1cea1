// Integers of less than 8 bits and floats of at most 8 bits. Each is stored in the low bits of a byte whose other bits
// are 0, and is converted before any computation. Formats: OCP 8-bit Floating Point Specification, OCP Microscaling
// Formats, and ONNX's notes on FNUZ.
#ifndef CAMEO_PASSES_LOWER_FORMULAS_NARROWNUMBERS_H
#define CAMEO_PASSES_LOWER_FORMULAS_NARROWNUMBERS_H

#include "passes/Lower/Builders/ScalarBuilder.h"

namespace cameo::lower {

/// Whether elements of an onnx type are stored as bytes: float8, float4, and integers of 2 and 4 bits.
bool isNarrow(mlir::Type type);

/// Decodes a byte: to f32 for floats, to i8 for integers.
mlir::Value decodeNarrow(ScalarBuilder &s, mlir::Value byte, mlir::Type type);

struct NarrowRounding {
  bool saturates = true;
  /// The rounding mode of float8e8m0: "up", "down" or "nearest".
  llvm::StringRef mode = "up";
};

/// Encodes an f32 or f64 in a narrow float format, rounded to nearest even, or as `rounding` says for float8e8m0.
mlir::Value encodeNarrowFloat(ScalarBuilder &s, mlir::Value number, mlir::FloatType type, NarrowRounding rounding);

/// Encodes an integer of at least 8 bits in a narrow integer type. Higher bits are dropped.
mlir::Value encodeNarrowInteger(ScalarBuilder &s, mlir::Value integer, mlir::IntegerType type);

} // namespace cameo::lower

#endif
