// A stream buffer for a linked file that needs no memory for pages of zeros.
#ifndef CAMEO_UTILS_DRIVER_LINK_LIBRARYIMAGE_H
#define CAMEO_UTILS_DRIVER_LINK_LIBRARYIMAGE_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/Memory.h"
#include "llvm/Support/raw_ostream.h"

#include <string>

namespace cameo {

/// Receives an ELF file from the linker, section headers last. Pages of zeros are never touched, so the space of
/// weights that are filled in later takes no memory.
class LibraryImage : public llvm::raw_ostream {
public:
  LibraryImage() { SetUnbuffered(); }

  /// Writes the file to `os`. At `symbol`, it writes the `bytes` bytes from `write` instead.
  llvm::Error fill(llvm::StringRef symbol, uint64_t bytes, llvm::function_ref<void(llvm::raw_ostream &)> write,
                   llvm::raw_ostream &os);

private:
  void write_impl(const char *data, size_t size) override;
  uint64_t current_pos() const override { return written; }
  void append(llvm::StringRef data);
  llvm::Expected<uint64_t> offsetOf(llvm::StringRef symbol) const;
  llvm::StringRef contents() const { return {static_cast<const char *>(memory.base()), written}; }

  std::string head; ///< start of the file, before its size is known
  llvm::sys::OwningMemoryBlock memory;
  uint64_t written = 0;
  std::error_code error;
};

} // namespace cameo

#endif
