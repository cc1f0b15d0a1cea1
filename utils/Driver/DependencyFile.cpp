#include "utils/Driver/DependencyFile.h"

using namespace cameo;
using llvm::StringRef;

static void writeName(StringRef name, llvm::raw_ostream &os) {
  size_t backslashes = 0;
  for (char each : name) {
    if (each == ' ' || each == '#') {
      // Backslashes before an escaped character are themselves read as escapes.
      for (; backslashes > 0; --backslashes)
        os << '\\';
      os << '\\';
    } else if (each == '$') {
      os << '$';
    }
    backslashes = each == '\\' ? backslashes + 1 : 0;
    os << each;
  }
}

llvm::Error cameo::writeDependencies(StringRef output, llvm::ArrayRef<std::string> inputs, llvm::raw_ostream &os) {
  auto check = [](StringRef name) {
    return name.contains('\n')
               ? llvm::createStringError("--depfile: expected names of files without line breaks, got '" + name + "'")
               : llvm::Error::success();
  };
  if (llvm::Error error = check(output))
    return error;
  writeName(output, os);
  os << ':';
  for (const std::string &input : inputs) {
    if (llvm::Error error = check(input))
      return error;
    os << " \\\n  ";
    writeName(input, os);
  }
  os << '\n';
  for (const std::string &input : inputs) {
    os << '\n';
    writeName(input, os);
    os << ":\n";
  }
  return llvm::Error::success();
}
