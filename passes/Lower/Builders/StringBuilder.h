// Builds operations on strings in task bodies. An element is the address of its bytes (i64), and functions of the
// runtime work on it.
#ifndef CAMEO_PASSES_LOWER_BUILDERS_STRINGBUILDER_H
#define CAMEO_PASSES_LOWER_BUILDERS_STRINGBUILDER_H

#include "passes/Lower/Builders/GenericBuilder.h"

#include "dialects/Onnx/OnnxDialect.h"

#include "mlir/IR/TypeUtilities.h"

namespace cameo::lower {

/// Whether the type, or the element type of a tensor, is a string.
inline bool isString(mlir::Type type) { return llvm::isa<onnx::StringType>(mlir::getElementTypeOrSelf(type)); }

/// Calls a function of cameo/text.h and returns its result.
mlir::Value invoke(ScalarBuilder &s, llvm::StringRef function, mlir::Type result, mlir::ValueRange inputs);
/// Calls a function of cameo/text.h that creates a string, with the text area before `inputs`, and returns the string.
mlir::Value makeString(ScalarBuilder &s, llvm::StringRef function, mlir::ValueRange inputs);
/// Returns a constant string.
mlir::Value literal(ScalarBuilder &s, llvm::StringRef string);

/// Whether the strings compare in this order, byte by byte.
mlir::Value compareStrings(ScalarBuilder &s, Order order, mlir::Value a, mlir::Value b);

/// Convert a number to a string and back. `type` is the number's type: integers and floats of at least 8 bits.
mlir::Value writeNumber(ScalarBuilder &s, mlir::Value number, Sign sign);
mlir::Value readNumber(ScalarBuilder &s, mlir::Value string, mlir::Type type, Sign sign);

/// Returns the value of missing elements: zero, or the empty string.
mlir::Value filler(ScalarBuilder &s, mlir::Type onnxType, mlir::Type lowered);

} // namespace cameo::lower

#endif
