// Asks, without compiling a model, which of its operations have a lowering.
#ifndef CAMEO_PASSES_LOWER_SUPPORTEDOPS_H
#define CAMEO_PASSES_LOWER_SUPPORTEDOPS_H

#include "mlir/IR/Operation.h"

#include <optional>
#include <string>

namespace cameo {

/// Why an onnx operation cannot be lowered, or nothing when it can. An operation whose shapes are not all static is
/// judged by its kind alone.
std::optional<std::string> whyNotLowered(mlir::Operation *op);

} // namespace cameo

#endif
