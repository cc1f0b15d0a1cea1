// A mark of recurrent layers with quantised weights, which no ONNX operator has as an attribute.
#ifndef CAMEO_DIALECTS_ONNX_ROUNDEDSTATE_H
#define CAMEO_DIALECTS_ONNX_ROUNDEDSTATE_H

#include "llvm/ADT/StringRef.h"

namespace cameo::onnx {

/// Unit attribute of an onnx.LSTM: in each step the state is rounded as by DynamicQuantizeLinear before it is
/// multiplied by the recurrence weights.
constexpr llvm::StringLiteral kRoundedState = "onnx.rounded_state";

} // namespace cameo::onnx

#endif // CAMEO_DIALECTS_ONNX_ROUNDEDSTATE_H
