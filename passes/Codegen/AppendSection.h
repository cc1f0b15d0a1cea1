// Fills a section of an ELF object after code generation.
#ifndef CAMEO_PASSES_CODEGEN_APPENDSECTION_H
#define CAMEO_PASSES_CODEGEN_APPENDSECTION_H

#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

namespace cameo {

/// Writes the relocatable 64-bit little-endian ELF file `object` to `os`, with the section `name` moved to the end of
/// the file and resized to `bytes`. `writeContents` must write exactly that many bytes. The contents may be of any size
/// because they never pass through LLVM.
llvm::Error appendSection(llvm::StringRef object, llvm::StringRef name, uint64_t bytes,
                          llvm::function_ref<void(llvm::raw_ostream &)> writeContents, llvm::raw_ostream &os);

/// Writes `object` to `os`, with the section `name` changed to SHT_NOBITS and resized to `bytes`: the file holds no
/// contents, the linker only reserves the space, and the caller of the linker writes the contents there.
llvm::Error reserveSection(llvm::StringRef object, llvm::StringRef name, uint64_t bytes, llvm::raw_ostream &os);

} // namespace cameo

#endif
