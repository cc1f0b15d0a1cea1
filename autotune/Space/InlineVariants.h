// Nests that their readers compute, which the rules store.
#ifndef CAMEO_AUTOTUNE_SPACE_INLINEVARIANTS_H
#define CAMEO_AUTOTUNE_SPACE_INLINEVARIANTS_H

#include "passes/Schedule/Nests/Rewrite/ReplaceNests.h"

#include <vector>

namespace cameo::autotune {

/// Lists of replacements like `chosen`, each with one nest more that its readers compute; the last one with all of
/// these. None with a long function that would be computed more than twice as often.
std::vector<std::vector<schedule::Replacement>> inlineVariants(const schedule::TaskProgram &program,
                                                               llvm::ArrayRef<schedule::Replacement> chosen);

} // namespace cameo::autotune

#endif
