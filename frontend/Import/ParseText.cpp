// The only file that uses libonnx's code, beyond its protobuf classes. Its parser reports most faults by status, and
// throws for numbers that do not fit.
#include "frontend/Import/ParseText.h"

#include "llvm/ADT/StringExtras.h"

#include <onnx/defs/parser.h>

using namespace cameo;

llvm::Error cameo::parseModelText(const std::string &text, ::onnx::ModelProto &model) {
  std::string message;
  try {
    ::onnx::OnnxParser parser(text.c_str());
    ::onnx::Common::Status status = parser.Parse(model);
    if (!status.IsOK())
      message = status.ErrorMessage();
    else if (!parser.EndOfInput())
      message = "expected the end of the model " + parser.GetCurrentPos();
  } catch (const std::exception &exception) {
    message = std::string("expected a number that fits its type, got a failure of ") + exception.what();
  }
  if (message.empty())
    return llvm::Error::success();
  std::replace(message.begin(), message.end(), '\n', ' ');
  return llvm::createStringError(llvm::inconvertibleErrorCode(), "%s", llvm::StringRef(message).rtrim(". ").str().c_str());
}
