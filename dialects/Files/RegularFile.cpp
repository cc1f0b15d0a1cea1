#include "dialects/Files/RegularFile.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/FileSystem.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using llvm::StringRef;

namespace cameo {

static const char *kindOf(mode_t mode) {
  if (S_ISDIR(mode))
    return "a folder";
  if (S_ISFIFO(mode))
    return "a FIFO";
  if (S_ISSOCK(mode))
    return "a socket";
  if (S_ISCHR(mode))
    return "a character device";
  return S_ISBLK(mode) ? "a block device" : "something else";
}

static llvm::Error lastError() {
  std::error_code error(errno, std::generic_category());
  return llvm::createStringError(error, error.message());
}

static llvm::Error expectRegular(const struct stat &status) {
  if (S_ISREG(status.st_mode))
    return llvm::Error::success();
  return llvm::createStringError(std::make_error_code(std::errc::invalid_argument),
                                 llvm::Twine("expected a regular file, got ") + kindOf(status.st_mode));
}

llvm::Expected<RegularFile> openRegularFile(StringRef path) {
  std::string name = path.str();
  struct stat status;
  if (stat(name.c_str(), &status) != 0)
    return lastError();
  // Opening a device may have side effects, and opening a socket fails.
  if (llvm::Error error = expectRegular(status))
    return std::move(error);
  // Another file may have replaced it since.
  int descriptor = -1;
  while ((descriptor = open(name.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)) < 0 && errno == EINTR) {
  }
  if (descriptor < 0)
    return lastError();
  llvm::Error error = fstat(descriptor, &status) == 0 ? expectRegular(status) : lastError();
  if (!error)
    return RegularFile{descriptor, static_cast<uint64_t>(status.st_size)};
  close(descriptor);
  return std::move(error);
}

static bool isNullDevice(StringRef path) {
  struct stat given, null;
  return stat(path.str().c_str(), &given) == 0 && S_ISCHR(given.st_mode) && stat("/dev/null", &null) == 0 &&
         given.st_rdev == null.st_rdev;
}

llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> readRegularFile(StringRef path, uint64_t largestBytes,
                                                                    bool mayChange) {
  if (isNullDevice(path))
    return llvm::MemoryBuffer::getMemBuffer("", path);
  auto fail = [&](const llvm::Twine &what, std::error_code code = std::make_error_code(std::errc::invalid_argument)) {
    return llvm::createStringError(code, path + ": " + what);
  };
  llvm::Expected<RegularFile> file = openRegularFile(path);
  if (!file) {
    std::error_code code;
    std::string message;
    llvm::handleAllErrors(file.takeError(), [&](const llvm::ErrorInfoBase &info) {
      code = info.convertToErrorCode(), message = info.message();
    });
    return fail(message, code);
  }
  llvm::scope_exit closing([&] { close(file->descriptor); });
  if (file->sizeBytes > largestBytes)
    return fail("expected at most " + llvm::Twine(largestBytes) + " bytes, got " + llvm::Twine(file->sizeBytes));
  auto buffer =
      llvm::MemoryBuffer::getOpenFile(llvm::sys::fs::convertFDToNativeFile(file->descriptor), path, file->sizeBytes,
                                      /*RequiresNullTerminator=*/false, /*IsVolatile=*/mayChange);
  if (!buffer)
    return fail(buffer.getError().message(), buffer.getError());
  return std::move(*buffer);
}

} // namespace cameo
