// A linked file on its way to a stream, without memory for what is zero.
#ifndef CAMEO_UTILS_DRIVER_LINK_LIBRARYIMAGE_H
#define CAMEO_UTILS_DRIVER_LINK_LIBRARYIMAGE_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/Memory.h"
#include "llvm/Support/raw_ostream.h"

#include <string>

namespace cameo {

/// Takes an ELF file as a linker writes it, section headers last. Pages of zeros stay untouched: weights that are
/// filled in later take none.
class LibraryImage : public llvm::raw_ostream {
public:
  LibraryImage() { SetUnbuffered(); }

  /// Writes the file to `os`, with what `write` writes, `bytes` long, at `symbol`.
  llvm::Error fill(llvm::StringRef symbol, uint64_t bytes, llvm::function_ref<void(llvm::raw_ostream &)> write,
                   llvm::raw_ostream &os);

private:
  void write_impl(const char *data, size_t size) override;
  uint64_t current_pos() const override { return written; }
  void append(llvm::StringRef data);
  llvm::Expected<uint64_t> offsetOf(llvm::StringRef symbol) const;
  llvm::StringRef contents() const { return {static_cast<const char *>(memory.base()), written}; }

  std::string head; ///< before the size is known
  llvm::sys::OwningMemoryBlock memory;
  uint64_t written = 0;
  std::error_code error;
};

} // namespace cameo

#endif
