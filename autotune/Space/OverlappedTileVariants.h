// Variants of overlapped tilings and flattened planes, in addition to those that the rules choose.
#ifndef CAMEO_AUTOTUNE_SPACE_OVERLAPPEDTILEVARIANTS_H
#define CAMEO_AUTOTUNE_SPACE_OVERLAPPEDTILEVARIANTS_H

#include "dialects/Target/Machine.h"
#include "passes/Schedule/Nests/Rewrite/ReplaceNests.h"

#include <vector>

namespace cameo::autotune {

/// Returns lists of replacements that differ from `chosen` in one decision: tiles of half or twice the size, without
/// the last or first nest, or removed; or a plane that is not flattened. If `chosen` has no tilings, it adds the
/// cheapest ones. Some lists may not fit the program.
std::vector<std::vector<schedule::Replacement>> overlappedTileVariants(const schedule::TaskProgram &program,
                                                                       llvm::ArrayRef<schedule::Replacement> chosen,
                                                                       const Machine &machine);

} // namespace cameo::autotune

#endif
