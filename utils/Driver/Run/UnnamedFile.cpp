#include "utils/Driver/Run/UnnamedFile.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <fcntl.h>
#include <unistd.h>

using namespace cameo;
using llvm::StringRef;

static llvm::Error fileError(StringRef path, std::error_code error) {
  return llvm::createStringError(error, nameInErrors(path) + ": " + error.message());
}

UnnamedFile::~UnnamedFile() {
  if (descriptor >= 0)
    llvm::sys::Process::SafelyCloseFileDescriptor(descriptor);
}

/// Returns the descriptor of a new file in `folder`; -1 on failure, with errno set.
static int openUnnamed(StringRef folder) {
  int descriptor = open(folder.str().c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (descriptor >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL))
    return descriptor;
  // LLVM's functions for unique names would also replace each '%' in the name of the folder.
  std::string name = (folder + "/cameo-XXXXXX").str();
  descriptor = mkostemp(name.data(), O_CLOEXEC);
  if (descriptor >= 0)
    unlink(name.c_str());
  return descriptor;
}

llvm::Expected<UnnamedFile> UnnamedFile::create(llvm::function_ref<llvm::Error(StringRef)> write) {
  llvm::SmallString<128> folder;
  llvm::sys::path::system_temp_directory(/*ErasedOnReboot=*/true, folder);
  UnnamedFile file(openUnnamed(folder));
  if (file.descriptor < 0) {
    std::error_code error(errno, std::generic_category());
    return llvm::createStringError(error, "cannot make a temporary file in " + folder + ": " + error.message());
  }
  if (llvm::Error error = write(file.path()))
    return std::move(error);
  return std::move(file);
}

llvm::Expected<UnnamedFile> UnnamedFile::hold(llvm::function_ref<llvm::Error(llvm::raw_pwrite_stream &)> write) {
  return create([&](StringRef path) -> llvm::Error {
    std::error_code error;
    llvm::raw_fd_ostream os(path, error);
    if (error)
      return fileError(path, error);
    llvm::Error failure = write(os);
    os.close();
    error = os.error();
    os.clear_error();
    return failure || !error ? std::move(failure) : fileError(path, error);
  });
}

llvm::Expected<UnnamedFile> UnnamedFile::hold(StringRef bytes) {
  return hold([&](llvm::raw_pwrite_stream &os) {
    os << bytes;
    return llvm::Error::success();
  });
}

llvm::Expected<UnnamedFile> UnnamedFile::copy(StringRef path) {
  auto bytes = llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!bytes)
    return fileError(path, bytes.getError());
  return hold((*bytes)->getBuffer());
}

bool UnnamedFile::isEmpty() const {
  llvm::sys::fs::file_status status;
  return descriptor < 0 || llvm::sys::fs::status(descriptor, status) || status.getSize() == 0;
}

std::string UnnamedFile::path() const { return llvm::formatv("/proc/self/fd/{0}", descriptor).str(); }

std::string UnnamedFile::pathForOthers() const { return llvm::formatv("/proc/{0}/fd/{1}", getpid(), descriptor).str(); }

std::string cameo::nameInErrors(StringRef path) {
  if (path == "-")
    return "standard output";
  char text[PATH_MAX];
  ssize_t length = path.starts_with("/proc/") ? ::readlink(path.str().c_str(), text, sizeof text) : -1;
  StringRef target(text, std::max<ssize_t>(length, 0));
  // The kernel appends this to the link if the file has no name.
  if (!target.consume_back(" (deleted)"))
    return path.str();
  return ("temporary file in " + llvm::sys::path::parent_path(target)).str();
}
