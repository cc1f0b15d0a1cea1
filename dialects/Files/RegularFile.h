// Opens files for reading, without blocking on paths that are not regular files.
#ifndef CAMEO_DIALECTS_FILES_REGULARFILE_H
#define CAMEO_DIALECTS_FILES_REGULARFILE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

#include <cstdint>
#include <memory>

namespace cameo {

struct RegularFile {
  int descriptor; ///< for reading; the caller closes it
  uint64_t sizeBytes;
};

/// Opens `path` if it is a regular file, or a link to one. All else is rejected before a byte is read: opening a FIFO
/// would block, and a device may have no end. Errors do not name the file; the caller adds it. Thread-safe.
llvm::Expected<RegularFile> openRegularFile(llvm::StringRef path);

/// Returns the bytes of a regular file. A large file is mapped, unless it `mayChange` meanwhile: access to a mapped
/// page beyond the new end raises a signal. The null device is an empty file. Fails if the file has more than
/// `largestBytes`. Errors name the file. Thread-safe.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> readRegularFile(llvm::StringRef path, uint64_t largestBytes,
                                                                    bool mayChange = false);

} // namespace cameo

#endif
