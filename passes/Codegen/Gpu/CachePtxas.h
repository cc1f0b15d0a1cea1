// A cache on disk for the output of ptxas, which takes longer than all other phases. Entries are found by a hash of the
// input.
#ifndef CAMEO_PASSES_CODEGEN_GPU_CACHEPTXAS_H
#define CAMEO_PASSES_CODEGEN_GPU_CACHEPTXAS_H

#include "passes/Codegen/Gpu/RunPtxas.h"

namespace cameo {

/// Returns the folder of the cache: the value of CAMEO_CACHE, or else `cameo` in the user's cache folder
/// (XDG_CACHE_HOME, ~/.cache). Returns "" if CAMEO_CACHE is "off" or the user has no such folder.
std::string findPtxasCache();

/// Like runPtxas, but returns the entry of the cache in `folder` for the same text, architecture and program, if there
/// is one. A cache that cannot be read or written is ignored. The cache holds at most 256 MB: the entries that were
/// used longest ago are removed.
llvm::Expected<Assembled> runPtxasCached(llvm::StringRef program, llvm::StringRef ptx, llvm::StringRef architecture,
                                         llvm::StringRef folder);

} // namespace cameo

#endif
