// Files that appear all together and complete, or not at all: written aside and renamed when everything succeeded.
#ifndef CAMEO_UTILS_DRIVER_LINK_OUTPUTFILES_H
#define CAMEO_UTILS_DRIVER_LINK_OUTPUTFILES_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

#include <list>
#include <memory>
#include <string>

namespace cameo {

class OutputFiles {
public:
  OutputFiles() = default;
  /// Removes what was not committed.
  ~OutputFiles();
  OutputFiles(const OutputFiles &) = delete;
  OutputFiles &operator=(const OutputFiles &) = delete;

  /// Opens a file that will be at `path` after commit(); "-" is standard output. The stream is ours. Devices, pipes
  /// and open files (/dev/stdout, /proc/self/fd/7) are written directly, since they cannot be renamed over.
  llvm::Expected<llvm::raw_pwrite_stream *> open(llvm::StringRef path, bool executable = false);

  /// The name of a file beside `path` for a program that writes by name (a C compiler); becomes `path` after commit(),
  /// or is copied there where that is a device or a pipe.
  llvm::Expected<std::string> reserve(llvm::StringRef path, bool executable = false);

  /// Closes all and renames them into place. On failure none of the files that were not yet renamed appears.
  llvm::Error commit();

private:
  struct File {
    std::string path;
    std::string aside; // empty: written directly
    std::unique_ptr<llvm::raw_fd_ostream> stream;
    std::unique_ptr<llvm::raw_pwrite_stream> buffered; // standard output cannot seek
    bool executable = false, isReserved = false;       // with a stream: reserved for what is no file
  };
  static std::error_code close(File &file);
  static std::error_code copyAside(File &file);
  llvm::Expected<File *> create(llvm::StringRef path, bool executable);
  std::list<File> files;
};

} // namespace cameo

#endif
