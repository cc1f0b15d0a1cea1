// Overlapped tiles, and planes that are flattened, beside those that the rules choose.
#ifndef CAMEO_AUTOTUNE_SPACE_OVERLAPPEDTILEVARIANTS_H
#define CAMEO_AUTOTUNE_SPACE_OVERLAPPEDTILEVARIANTS_H

#include "dialects/Target/Machine.h"
#include "passes/Schedule/Nests/Rewrite/ReplaceNests.h"

#include <vector>

namespace cameo::autotune {

/// Lists of replacements like `chosen`, each with one decision that is another: tiles of half or twice the size,
/// without their last or first nest, or none; a plane that is not flattened. Where there are no tiles, those that cost
/// least. Some may not fit the program.
std::vector<std::vector<schedule::Replacement>> overlappedTileVariants(const schedule::TaskProgram &program,
                                                                       llvm::ArrayRef<schedule::Replacement> chosen,
                                                                       const Machine &machine);

} // namespace cameo::autotune

#endif
