#include "utils/Driver/Run/TensorFile.h"

#include "dialects/Files/RegularFile.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace cameo;
using llvm::StringRef;

static llvm::Error fileError(StringRef path, const llvm::Twine &what) {
  return llvm::createStringError(path + ": " + what);
}

llvm::Expected<Tensor> cameo::readTensorFile(StringRef path) {
  StringRef extension = llvm::sys::path::extension(path);
  if (extension != ".npy" && extension != ".pb")
    return fileError(path, "expected a .npy or .pb file");
  constexpr uint64_t largestBytes = uint64_t(16) << 30;
  llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> buffer = readRegularFile(path, largestBytes);
  if (!buffer)
    return buffer.takeError();
  StringRef bytes = (*buffer)->getBuffer();
  llvm::Expected<Tensor> tensor = extension == ".npy" ? parseNpy(bytes) : parseTensorProto(bytes);
  if (!tensor)
    return fileError(path, llvm::toString(tensor.takeError()));
  if (tensor->name.empty())
    tensor->name = llvm::sys::path::stem(path).str();
  return tensor;
}

std::string cameo::tensorFileStem(StringRef name) {
  std::string stem = name.str();
  for (char &character : stem)
    if (character == '/' || character == '\\' || static_cast<unsigned char>(character) < ' ')
      character = '_';
  return stem;
}

std::string cameo::findTensorFile(StringRef folder, StringRef name) {
  for (const char *extension : {".npy", ".pb"}) {
    llvm::SmallString<256> path(folder);
    llvm::sys::path::append(path, tensorFileStem(name) + extension);
    if (llvm::sys::fs::exists(path))
      return std::string(path);
  }
  return {};
}
