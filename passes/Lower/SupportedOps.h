// Answers which operations of a model have a lowering, without compiling it.
#ifndef CAMEO_PASSES_LOWER_SUPPORTEDOPS_H
#define CAMEO_PASSES_LOWER_SUPPORTEDOPS_H

#include "mlir/IR/Operation.h"

#include <optional>
#include <string>

namespace cameo {

/// Returns why an onnx operation cannot be lowered, or nothing if it can. If its shapes are not all static, only the
/// kind of the operation is checked.
std::optional<std::string> whyNotLowered(mlir::Operation *op);

} // namespace cameo

#endif
