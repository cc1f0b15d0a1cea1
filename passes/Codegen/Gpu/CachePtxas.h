// What the assembler made before, on disk by its content: it takes longer than everything else.
#ifndef CAMEO_PASSES_CODEGEN_GPU_CACHEPTXAS_H
#define CAMEO_PASSES_CODEGEN_GPU_CACHEPTXAS_H

#include "passes/Codegen/Gpu/RunPtxas.h"

namespace cameo {

/// The folder of the cache: what CAMEO_CACHE names, or `cameo` in the user's folder for caches (XDG_CACHE_HOME,
/// ~/.cache). Empty where CAMEO_CACHE is "off", or the user has no folder.
std::string findPtxasCache();

/// As runPtxas, but takes what lies in `folder` for the same text, architecture and program. A cache that cannot be
/// read or written is none. It has at most 256 MB: what was not used for the longest time goes.
llvm::Expected<Assembled> runPtxasCached(llvm::StringRef program, llvm::StringRef ptx, llvm::StringRef architecture,
                                         llvm::StringRef folder);

} // namespace cameo

#endif
