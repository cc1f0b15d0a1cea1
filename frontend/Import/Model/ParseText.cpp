// The only file that uses libonnx's code beyond its protobuf classes. Its parser reports most errors by status, but
// throws for numbers that are out of range.
#include "frontend/Import/Model/ParseText.h"

#include "llvm/ADT/StringExtras.h"

#include <onnx/defs/parser.h>

using namespace cameo;

/// Limit of nested brackets, because the parser is recursive. Protobuf's limit for nesting is the same.
static constexpr unsigned maxDepth = 100;

/// Returns the depth of nested brackets outside of quotes and comments.
static unsigned measureDepth(llvm::StringRef text) {
  unsigned depth = 0, most = 0;
  bool isQuoted = false;
  for (size_t at = 0; at < text.size(); ++at) {
    char c = text[at];
    if (isQuoted && c == '\\')
      ++at;
    else if (c == '"')
      isQuoted = !isQuoted;
    else if (!isQuoted && c == '#')
      at = std::min(text.find('\n', at), text.size());
    else if (!isQuoted && (c == '(' || c == '[' || c == '{'))
      most = std::max(most, ++depth);
    else if (!isQuoted && (c == ')' || c == ']' || c == '}') && depth > 0)
      --depth;
  }
  return most;
}

llvm::Error cameo::parseModelText(const std::string &text, ::onnx::ModelProto &model) {
  std::string message;
  if (unsigned depth = measureDepth(text); depth > maxDepth)
    return llvm::createStringError(llvm::inconvertibleErrorCode(), "expected at most %u levels of brackets, got %u",
                                   maxDepth, depth);
  try {
    ::onnx::OnnxParser parser(text.c_str());
    ::onnx::Common::Status status = parser.Parse(model);
    if (!status.IsOK())
      message = status.ErrorMessage();
    else if (!parser.EndOfInput())
      message = "expected the end of the model " + parser.GetCurrentPos();
  } catch (const std::exception &exception) {
    message = std::string("expected a number that fits its type, got an error in ") + exception.what();
  }
  if (message.empty())
    return llvm::Error::success();
  std::replace(message.begin(), message.end(), '\n', ' ');
  return llvm::createStringError(llvm::inconvertibleErrorCode(), "%s",
                                 llvm::StringRef(message).rtrim(". ").str().c_str());
}
