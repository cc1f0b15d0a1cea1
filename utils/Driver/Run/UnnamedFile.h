// The one kind of temporary file: it has no name, and ends with who holds it.
#ifndef CAMEO_UTILS_DRIVER_RUN_UNNAMEDFILE_H
#define CAMEO_UTILS_DRIVER_RUN_UNNAMEDFILE_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

#include <string>
#include <utility>

namespace cameo {

/// A file that never had a name (on file systems that know none: that lost it at once), so that a process leaves
/// nothing behind however it is killed. It lies where temporary files do, on a disk as a rule, where a user's files
/// lie, too.
class UnnamedFile {
public:
  UnnamedFile() = default;
  UnnamedFile(UnnamedFile &&other) noexcept : descriptor(std::exchange(other.descriptor, -1)) {}
  UnnamedFile &operator=(UnnamedFile &&other) noexcept {
    std::swap(descriptor, other.descriptor);
    return *this;
  }
  ~UnnamedFile();

  /// What `write` makes of an empty file at the path that it gets. An error of `write` is passed on; that there is no
  /// room for such a file is one.
  static llvm::Expected<UnnamedFile> create(llvm::function_ref<llvm::Error(llvm::StringRef)> write);
  /// Has what `write` puts into the stream. A stream that did not take it is an error, if `write` has none.
  static llvm::Expected<UnnamedFile> hold(llvm::function_ref<llvm::Error(llvm::raw_pwrite_stream &)> write);
  /// Has these bytes.
  static llvm::Expected<UnnamedFile> hold(llvm::StringRef bytes);
  /// Has the bytes of the file at `path`, in pages of its own.
  static llvm::Expected<UnnamedFile> copy(llvm::StringRef path);

  /// Whether there is no file, or nothing in it.
  bool isEmpty() const;
  /// Means this file while this lives, to the calling process and those that it forks.
  std::string path() const;
  /// Means this file while this lives, to all processes of the user.
  std::string pathForOthers() const;

private:
  explicit UnnamedFile(int descriptor) : descriptor(descriptor) {}
  int descriptor = -1;
};

/// What errors call the file at `path`: standard output by these words, and an UnnamedFile by the folder that it lies
/// in, which is what may be full.
std::string nameInErrors(llvm::StringRef path);

} // namespace cameo

#endif
