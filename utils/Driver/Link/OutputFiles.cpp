#include "utils/Driver/Link/OutputFiles.h"

#include "utils/Driver/Run/UnnamedFile.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Signals.h"

#include <cerrno>
#include <climits>
#include <cstdlib>
#include <fcntl.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

using namespace cameo;
using llvm::StringRef;
namespace fs = llvm::sys::fs;

static llvm::Error fileError(StringRef path, std::error_code error) {
  return llvm::createStringError(error, nameInErrors(path) + ": " + error.message());
}

/// Flushes the stream, and closes it unless it is standard output. Clears its error, because a stream that is destroyed
/// with an error ends the process.
std::error_code OutputFiles::close(File &file) {
  file.buffered.reset();
  file.stream->flush();
  std::error_code error = file.stream->error();
  file.stream->clear_error();
  if (file.path != "-")
    file.stream->close();
  error = error ? error : file.stream->error();
  file.stream->clear_error();
  return error;
}

OutputFiles::~OutputFiles() {
  for (File &file : files) {
    // The error that ended the compilation was reported before.
    if (file.stream)
      (void)close(file);
    if (!file.aside.empty()) {
      fs::remove(file.aside);
      llvm::sys::DontRemoveFileOnSignal(file.aside);
    }
  }
}

/// Whether `path` refers to an open file by its descriptor, as /dev/stdout does. No file can be renamed over such a
/// link, whatever its target.
static bool isDescriptor(StringRef path) {
  constexpr unsigned mostLinks = 40; // the limit of the kernel
  llvm::SmallString<256> link(path), target;
  for (unsigned links = 0; links < mostLinks && fs::is_symlink_file(link); ++links) {
    StringRef folder = llvm::sys::path::parent_path(link);
    struct statfs system;
    if (statfs(folder.empty() ? "." : folder.str().c_str(), &system) == 0 && system.f_type == PROC_SUPER_MAGIC)
      return true;
    char text[PATH_MAX];
    ssize_t length = ::readlink(link.c_str(), text, sizeof text);
    if (length < 0)
      return false;
    target = StringRef(text, length);
    if (llvm::sys::path::is_relative(target)) {
      llvm::SmallString<256> whole(folder);
      llvm::sys::path::append(whole, target);
      target = whole;
    }
    link = target;
  }
  return false;
}

/// Creates a file in `folder` that only the owner can access and that is removed on a signal. Its name contains no part
/// of the output's name, which may have the maximum length. LLVM's function for unique names would replace each '%' in
/// the folder's name. The file is registered for removal before it is created, because any thread may receive a signal.
static std::error_code createAside(StringRef folder, int &descriptor, std::string &aside) {
  for (;;) {
    llvm::SmallString<256> name(folder);
    llvm::sys::path::append(name, llvm::formatv("cameo-{0:x-8}.partial", llvm::sys::Process::GetRandomNumber()).str());
    aside = std::string(name);
    llvm::sys::RemoveFileOnSignal(aside);
    descriptor = ::open(aside.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR);
    if (descriptor >= 0)
      return {};
    int error = errno;
    llvm::sys::DontRemoveFileOnSignal(aside);
    aside.clear();
    if (error != EEXIST)
      return {error, std::generic_category()};
  }
}

llvm::Expected<OutputFiles::File *> OutputFiles::create(StringRef path, bool executable) {
  File file;
  file.path = path.str();
  file.executable = executable;
  fs::file_status status;
  bool isOther = !fs::status(path, status) && fs::exists(status) && !fs::is_regular_file(status);
  if (path == "-" || isOther || isDescriptor(path)) {
    if (path != "-" && fs::is_directory(status))
      return fileError(path, std::make_error_code(std::errc::is_a_directory));
    std::error_code error;
    file.stream = std::make_unique<llvm::raw_fd_ostream>(path, error);
    if (error)
      return fileError(path, error);
  } else {
    int descriptor = -1;
    if (std::error_code error = createAside(llvm::sys::path::parent_path(path), descriptor, file.aside))
      return fileError(path, error);
    file.stream = std::make_unique<llvm::raw_fd_ostream>(descriptor, /*shouldClose=*/true);
  }
  files.push_back(std::move(file));
  return &files.back();
}

llvm::Expected<llvm::raw_pwrite_stream *> OutputFiles::open(StringRef path, bool executable) {
  llvm::Expected<File *> file = create(path, executable);
  if (!file)
    return file.takeError();
  if ((*file)->stream->supportsSeeking())
    return (*file)->stream.get();
  (*file)->buffered = std::make_unique<llvm::buffer_ostream>(*(*file)->stream);
  return (*file)->buffered.get();
}

llvm::Expected<std::string> OutputFiles::reserve(StringRef path, bool executable) {
  llvm::Expected<File *> file = create(path, executable);
  if (!file)
    return file.takeError();
  (*file)->isReserved = true;
  if (!(*file)->aside.empty()) {
    (*file)->stream.reset();
    return (*file)->aside;
  }
  // A program that replaces its output file would replace the device.
  llvm::SmallString<256> folder;
  llvm::sys::path::system_temp_directory(/*ErasedOnReboot=*/true, folder);
  int descriptor = -1;
  if (std::error_code error = createAside(folder, descriptor, (*file)->aside))
    return fileError(folder, error);
  llvm::sys::Process::SafelyCloseFileDescriptor(descriptor);
  return (*file)->aside;
}

std::error_code OutputFiles::copyAside(File &file) {
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> written = llvm::MemoryBuffer::getFile(file.aside);
  if (!written)
    return written.getError();
  *file.stream << (*written)->getBuffer();
  return {};
}

llvm::Error OutputFiles::check(StringRef path) {
  if (path.empty() || path == "-")
    return llvm::Error::success();
  fs::file_status status;
  if (!fs::status(path, status) && fs::exists(status) && !fs::is_regular_file(status))
    return fs::is_directory(status) ? fileError(path, std::make_error_code(std::errc::is_a_directory))
                                    : llvm::Error::success();
  std::string folder = llvm::sys::path::parent_path(path).str();
  if (folder.empty())
    folder = ".";
  if (std::error_code error = fs::status(folder, status))
    return fileError(path, error);
  if (!fs::is_directory(status))
    return fileError(path, std::make_error_code(std::errc::not_a_directory));
  if (::access(folder.c_str(), W_OK | X_OK) != 0)
    return fileError(path, std::error_code(errno, std::generic_category()));
  return llvm::Error::success();
}

llvm::Error OutputFiles::commit() {
  for (File &file : files) {
    if (!file.stream)
      continue;
    std::error_code copied = file.isReserved ? copyAside(file) : std::error_code();
    std::error_code written = close(file);
    if (copied || written)
      return fileError(file.path, copied ? copied : written);
  }
  while (!files.empty()) {
    File &file = files.front();
    if (file.isReserved && file.stream) {
      fs::remove(file.aside);
      llvm::sys::DontRemoveFileOnSignal(file.aside);
    } else if (!file.aside.empty()) {
      // Until now only the owner has access. Set the permissions that the umask allows.
      auto mode = static_cast<fs::perms>((file.executable ? 0777 : 0666) & ~fs::getUmask());
      if (std::error_code error = fs::setPermissions(file.aside, mode))
        return fileError(file.path, error);
      if (std::error_code error = fs::rename(file.aside, file.path))
        return fileError(file.path, error);
      llvm::sys::DontRemoveFileOnSignal(file.aside);
    }
    files.pop_front();
  }
  return llvm::Error::success();
}
