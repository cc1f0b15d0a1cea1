#include "autotune/Records/ParseLine.h"

using namespace cameo::autotune;
using llvm::StringRef;

/// Whether brackets are nested deeper than `limit`, not counting those in strings.
static bool isDeeper(StringRef line, unsigned limit) {
  unsigned depth = 0;
  bool isInString = false;
  for (size_t at = 0; at < line.size(); ++at) {
    char character = line[at];
    if (isInString && character == '\\')
      ++at;
    else if (character == '"')
      isInString = !isInString;
    else if (isInString)
      continue;
    else if ((character == '[' || character == '{') && ++depth > limit)
      return true;
    else if ((character == ']' || character == '}') && depth > 0)
      --depth;
  }
  return false;
}

/// Rewrites LLVM's message "[LINE:COLUMN, byte=N]: Message" without the line, because the text is always one line.
static llvm::Error explainSyntax(llvm::Error error) {
  std::string text = llvm::toString(std::move(error));
  auto [place, message] = StringRef(text).split("]: ");
  StringRef column = place.split(':').second.split(',').first;
  return llvm::createStringError("expected a JSON object, but column " + column +
                                 " is wrong: " + message.take_front().lower() + message.drop_front());
}

llvm::Expected<llvm::json::Value> cameo::autotune::parseLine(StringRef line) {
  if (line.size() > maxLineBytes)
    return llvm::createStringError("expected a line of at most %zu bytes, got %zu", maxLineBytes, line.size());
  if (isDeeper(line, maxJsonDepth))
    return llvm::createStringError("expected arrays and objects nested at most %u deep", maxJsonDepth);
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(line);
  return value ? std::move(value) : llvm::Expected<llvm::json::Value>(explainSyntax(value.takeError()));
}
