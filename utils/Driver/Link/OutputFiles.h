// Writes output files atomically: they are written to temporary names and renamed after everything succeeded.
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
  /// Removes files that were not committed.
  ~OutputFiles();
  OutputFiles(const OutputFiles &) = delete;
  OutputFiles &operator=(const OutputFiles &) = delete;

  /// Opens a file that will be at `path` after commit(); "-" is standard output. This object owns the stream. Devices,
  /// pipes and open files (/dev/stdout, /proc/self/fd/7) are written directly, because they cannot be replaced by
  /// renaming.
  llvm::Expected<llvm::raw_pwrite_stream *> open(llvm::StringRef path, bool executable = false);

  /// Returns a temporary name next to `path` for a program that writes by name (a C compiler). commit() renames the
  /// file to `path`, or copies it there if `path` is a device or a pipe.
  llvm::Expected<std::string> reserve(llvm::StringRef path, bool executable = false);

  /// Fails if `path` is a folder, or its folder does not exist or cannot be written to, as open() and reserve() do: a
  /// long compilation asks before it begins. An empty path and "-" pass.
  static llvm::Error check(llvm::StringRef path);

  /// Closes all files and renames them. On failure none of the files that were not yet renamed appears.
  llvm::Error commit();

private:
  struct File {
    std::string path;
    std::string aside; // temporary name; empty: written directly
    std::unique_ptr<llvm::raw_fd_ostream> stream;
    std::unique_ptr<llvm::raw_pwrite_stream> buffered; // standard output cannot seek
    bool executable = false, isReserved = false;       // if `isReserved` and there is a stream, the file is copied to
                                                       // it
  };
  static std::error_code close(File &file);
  static std::error_code copyAside(File &file);
  llvm::Expected<File *> create(llvm::StringRef path, bool executable);
  std::list<File> files;
};

} // namespace cameo

#endif
