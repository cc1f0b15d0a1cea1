// Gives a section of an ELF object its contents after code generation.
#ifndef CAMEO_PASSES_CODEGEN_APPENDSECTION_H
#define CAMEO_PASSES_CODEGEN_APPENDSECTION_H

#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

namespace cameo {

/// Writes the relocatable 64-bit little-endian ELF file `object` to `os` with the section `name` moved to the end of
/// the file, `bytes` long; `writeContents` then writes exactly these bytes. So contents of any size never pass through
/// LLVM.
llvm::Error appendSection(llvm::StringRef object, llvm::StringRef name, uint64_t bytes,
                          llvm::function_ref<void(llvm::raw_ostream &)> writeContents, llvm::raw_ostream &os);

/// Writes `object` with the section `name` of `bytes` that are in no file (SHT_NOBITS): a linker places them, and
/// somebody else writes them.
llvm::Error reserveSection(llvm::StringRef object, llvm::StringRef name, uint64_t bytes, llvm::raw_ostream &os);

} // namespace cameo

#endif
