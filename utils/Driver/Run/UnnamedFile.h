// Temporary files without a name, which are deleted with their holder.
#ifndef CAMEO_UTILS_DRIVER_RUN_UNNAMEDFILE_H
#define CAMEO_UTILS_DRIVER_RUN_UNNAMEDFILE_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

#include <string>
#include <utility>

namespace cameo {

/// A file without a name (on file systems without O_TMPFILE, the name is removed at once), so that a process leaves
/// nothing behind even if it is killed. It is in the folder for temporary files, which is usually on a disk.
class UnnamedFile {
public:
  UnnamedFile() = default;
  UnnamedFile(UnnamedFile &&other) noexcept : descriptor(std::exchange(other.descriptor, -1)) {}
  UnnamedFile &operator=(UnnamedFile &&other) noexcept {
    std::swap(descriptor, other.descriptor);
    return *this;
  }
  ~UnnamedFile();

  /// Creates an empty file and calls `write` with its path. Fails if `write` fails or the file cannot be created.
  static llvm::Expected<UnnamedFile> create(llvm::function_ref<llvm::Error(llvm::StringRef)> write);
  /// Creates a file with what `write` puts into the stream. Fails if `write` or the stream fails.
  static llvm::Expected<UnnamedFile> hold(llvm::function_ref<llvm::Error(llvm::raw_pwrite_stream &)> write);
  /// Creates a file with these bytes.
  static llvm::Expected<UnnamedFile> hold(llvm::StringRef bytes);
  /// Creates a copy of the file at `path`.
  static llvm::Expected<UnnamedFile> copy(llvm::StringRef path);

  /// Whether there is no file, or it is empty.
  bool isEmpty() const;
  /// Returns a path that is valid during the lifetime of this object, in this process and processes that it forks.
  std::string path() const;
  /// Returns a path that is valid during the lifetime of this object, in all processes of the user.
  std::string pathForOthers() const;

private:
  explicit UnnamedFile(int descriptor) : descriptor(descriptor) {}
  int descriptor = -1;
};

/// Returns the name of the file at `path` for errors: words for standard output, and for an UnnamedFile the folder that
/// it is in, which may be full.
std::string nameInErrors(llvm::StringRef path);

} // namespace cameo

#endif
