// A temporary file that ends with who holds it.
#ifndef CAMEO_UTILS_DRIVER_UNNAMEDFILE_H
#define CAMEO_UTILS_DRIVER_UNNAMEDFILE_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <utility>

namespace cameo {

/// A file that has lost its name, so that a process that is killed leaves nothing behind. It lies where temporary files do, on a disk as a rule, where
/// a user's files lie, too.
class UnnamedFile {
public:
  UnnamedFile() = default;
  UnnamedFile(UnnamedFile &&other) noexcept : descriptor(std::exchange(other.descriptor, -1)) {}
  UnnamedFile &operator=(UnnamedFile &&other) noexcept {
    std::swap(descriptor, other.descriptor);
    return *this;
  }
  ~UnnamedFile();

  /// What `write` makes of an empty file at the path that it gets, or puts in its place. An error of `write` is passed on; that there is no such file is one.
  static llvm::Expected<UnnamedFile> create(llvm::function_ref<llvm::Error(llvm::StringRef)> write);
  /// Has the bytes of the file at `path`, in pages of its own.
  static llvm::Expected<UnnamedFile> copy(llvm::StringRef path);

  /// Whether there is no file, or nothing in it.
  bool isEmpty() const;
  /// Means this file to the calling process only, and only while this lives.
  std::string path() const;

private:
  explicit UnnamedFile(int descriptor) : descriptor(descriptor) {}
  int descriptor = -1;
};

} // namespace cameo

#endif
