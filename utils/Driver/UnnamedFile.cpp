#include "utils/Driver/UnnamedFile.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"

using namespace cameo;
using llvm::StringRef;

static llvm::Error fileError(StringRef path, std::error_code error) {
  return llvm::createStringError(error, path + ": " + error.message());
}

UnnamedFile::~UnnamedFile() {
  if (descriptor >= 0)
    llvm::sys::Process::SafelyCloseFileDescriptor(descriptor);
}

llvm::Expected<UnnamedFile> UnnamedFile::create(llvm::function_ref<llvm::Error(StringRef)> write) {
  llvm::SmallString<128> path;
  if (std::error_code error = llvm::sys::fs::createTemporaryFile("cameo", "tmp", path))
    return llvm::createStringError(error, "cannot make a temporary file: " + error.message());
  llvm::sys::RemoveFileOnSignal(path);
  llvm::scope_exit remove([&] {
    llvm::sys::fs::remove(path);
    llvm::sys::DontRemoveFileOnSignal(path);
  });
  if (llvm::Error error = write(path))
    return std::move(error);
  int descriptor = -1;
  if (std::error_code error = llvm::sys::fs::openFileForRead(path, descriptor))
    return fileError(path, error);
  return UnnamedFile(descriptor);
}

llvm::Expected<UnnamedFile> UnnamedFile::copy(StringRef path) {
  auto bytes = llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!bytes)
    return fileError(path, bytes.getError());
  return create([&](StringRef copy) -> llvm::Error {
    std::error_code error;
    llvm::raw_fd_ostream os(copy, error);
    if (error)
      return fileError(copy, error);
    os << (*bytes)->getBuffer();
    os.close();
    error = os.error();
    os.clear_error();
    return error ? fileError(copy, error) : llvm::Error::success();
  });
}

bool UnnamedFile::isEmpty() const {
  llvm::sys::fs::file_status status;
  return descriptor < 0 || llvm::sys::fs::status(descriptor, status) || status.getSize() == 0;
}

std::string UnnamedFile::path() const { return llvm::formatv("/proc/self/fd/{0}", descriptor).str(); }
