// Texts in the bodies of tasks: an element is the address of its bytes (i64), and the runtime's functions work on them.
#ifndef CAMEO_PASSES_LOWER_BUILDERS_TEXTBUILDER_H
#define CAMEO_PASSES_LOWER_BUILDERS_TEXTBUILDER_H

#include "passes/Lower/Builders/GenericBuilder.h"

#include "dialects/Onnx/OnnxDialect.h"

#include "mlir/IR/TypeUtilities.h"

namespace cameo::lower {

/// Whether an element of this type, or of a tensor of it, is a text.
inline bool isText(mlir::Type type) { return llvm::isa<onnx::StringType>(mlir::getElementTypeOrSelf(type)); }

/// The result of a function of cameo/text.h.
mlir::Value invoke(ScalarBuilder &s, llvm::StringRef function, mlir::Type result, mlir::ValueRange inputs);
/// The text that a function of cameo/text.h makes; it gets the area before `inputs`.
mlir::Value makeText(ScalarBuilder &s, llvm::StringRef function, mlir::ValueRange inputs);
/// A text that the compiler knows.
mlir::Value literal(ScalarBuilder &s, llvm::StringRef text);

/// Whether the texts compare like this, byte by byte.
mlir::Value compareTexts(ScalarBuilder &s, Order order, mlir::Value a, mlir::Value b);

/// A number as text, and back. `type` is the number's, before or after; integers and floats of 8 bits and more.
mlir::Value writeNumber(ScalarBuilder &s, mlir::Value number, Sign sign);
mlir::Value readNumber(ScalarBuilder &s, mlir::Value text, mlir::Type type, Sign sign);

/// What stands where there is no element: zero, or the empty text.
mlir::Value filler(ScalarBuilder &s, mlir::Type onnxType, mlir::Type lowered);

} // namespace cameo::lower

#endif
