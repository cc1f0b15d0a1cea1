// Variants in which nests are inlined that the rules store.
#ifndef CAMEO_AUTOTUNE_SPACE_INLINEVARIANTS_H
#define CAMEO_AUTOTUNE_SPACE_INLINEVARIANTS_H

#include "passes/Schedule/Nests/Rewrite/ReplaceNests.h"

#include <vector>

namespace cameo::autotune {

/// Returns lists of replacements: each is `chosen` plus one inlined nest, and the last one is `chosen` plus all of
/// these. Excludes nests with a long function that would be computed more than twice as often.
std::vector<std::vector<schedule::Replacement>> inlineVariants(const schedule::TaskProgram &program,
                                                               llvm::ArrayRef<schedule::Replacement> chosen);

} // namespace cameo::autotune

#endif
