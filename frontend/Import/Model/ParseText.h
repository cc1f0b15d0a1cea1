// Parses ONNX's textual syntax.
#ifndef CAMEO_FRONTEND_IMPORT_MODEL_PARSETEXT_H
#define CAMEO_FRONTEND_IMPORT_MODEL_PARSETEXT_H

#include "llvm/Support/Error.h"

#include <string>

namespace onnx {
class ModelProto;
}

namespace cameo {

/// Parses `text` into `model` with libonnx. Fails with a message for invalid syntax, or if brackets nest too deeply.
llvm::Error parseModelText(const std::string &text, ::onnx::ModelProto &model);

} // namespace cameo

#endif // CAMEO_FRONTEND_IMPORT_MODEL_PARSETEXT_H
