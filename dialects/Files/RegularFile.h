// Files that are read: opened without waiting for what is no file.
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

/// Opens `path` if it is a regular file, or a link to one. A FIFO would be waited for, and a device may have no end:
/// they are refused, as sockets and folders are, before a byte is read. Errors do not name the file: the caller knows
/// how. Thread-safe.
llvm::Expected<RegularFile> openRegularFile(llvm::StringRef path);

/// The bytes of a regular file, mapped where it is large, unless it `mayChange` meanwhile: a page behind the end of a
/// mapping is a signal. The null device is an empty file. Errors name the file; one of more than `largestBytes` is
/// refused. Thread-safe.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> readRegularFile(llvm::StringRef path, uint64_t largestBytes,
                                                                    bool mayChange = false);

} // namespace cameo

#endif
