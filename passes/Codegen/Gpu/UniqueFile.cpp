#include "passes/Codegen/Gpu/UniqueFile.h"

#include "llvm/Support/Signals.h"

#include <cerrno>
#include <cstdlib>

using namespace llvm;

namespace cameo {

Expected<UniqueFile> createUniqueFile(const Twine &begin, StringRef end) {
  std::string path = (begin + "XXXXXX" + end).str();
  int descriptor = mkstemps(path.data(), static_cast<int>(end.size()));
  if (descriptor < 0)
    return errorCodeToError(std::error_code(errno, std::generic_category()));
  sys::RemoveFileOnSignal(path);
  return UniqueFile{descriptor, std::move(path)};
}

} // namespace cameo
