#include "utils/Driver/OutputFiles.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Signals.h"

using namespace cameo;
using llvm::StringRef;
namespace fs = llvm::sys::fs;

static llvm::Error fileError(StringRef path, std::error_code error) {
  return llvm::createStringError(error, path + ": " + error.message());
}

OutputFiles::~OutputFiles() {
  for (File &file : files) {
    if (file.stream) {
      file.buffered.reset();
      // The error that made us give up was reported already.
      file.stream->clear_error();
      file.stream.reset();
    }
    if (!file.aside.empty()) {
      fs::remove(file.aside);
      llvm::sys::DontRemoveFileOnSignal(file.aside);
    }
  }
}

llvm::Expected<OutputFiles::File *> OutputFiles::create(StringRef path, bool executable) {
  File file;
  file.path = path.str();
  file.executable = executable;
  fs::file_status status;
  if (path == "-" || (!fs::status(path, status) && fs::exists(status) && !fs::is_regular_file(status))) {
    if (path != "-" && fs::is_directory(status))
      return fileError(path, std::make_error_code(std::errc::is_a_directory));
    std::error_code error;
    file.stream = std::make_unique<llvm::raw_fd_ostream>(path, error);
    if (error)
      return fileError(path, error);
  } else {
    int descriptor = -1;
    llvm::SmallString<256> aside;
    if (std::error_code error = fs::createUniqueFile(path + ".%%%%%%.partial", descriptor, aside))
      return fileError(path, error);
    llvm::sys::RemoveFileOnSignal(aside);
    file.aside = std::string(aside);
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
  // A linker that cannot write to a device ends the process.
  llvm::SmallString<256> aside;
  if (std::error_code error = fs::createTemporaryFile("cameo", "partial", aside))
    return fileError(path, error);
  llvm::sys::RemoveFileOnSignal(aside);
  (*file)->aside = std::string(aside);
  return (*file)->aside;
}

std::error_code OutputFiles::copyAside(File &file) {
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> written = llvm::MemoryBuffer::getFile(file.aside);
  if (!written)
    return written.getError();
  *file.stream << (*written)->getBuffer();
  return {};
}

llvm::Error OutputFiles::commit() {
  for (File &file : files) {
    file.buffered.reset();
    if (!file.stream)
      continue;
    std::error_code error = file.isReserved ? copyAside(file) : std::error_code();
    file.stream->flush();
    error = error ? error : file.stream->error();
    file.stream->clear_error();
    if (file.path != "-")
      file.stream->close();
    if (!error && file.stream->has_error())
      error = file.stream->error();
    file.stream->clear_error();
    if (error)
      return fileError(file.path, error);
  }
  while (!files.empty()) {
    File &file = files.front();
    if (file.isReserved && file.stream) {
      fs::remove(file.aside);
      llvm::sys::DontRemoveFileOnSignal(file.aside);
    } else if (!file.aside.empty()) {
      // createUniqueFile makes files for the owner alone; give what the umask leaves.
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
