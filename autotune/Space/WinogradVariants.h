// Winograd replacements of the convolutions of a task.
#ifndef CAMEO_AUTOTUNE_SPACE_WINOGRADVARIANTS_H
#define CAMEO_AUTOTUNE_SPACE_WINOGRADVARIANTS_H

#include "passes/Schedule/Nests/Rewrite/RewriteWinograd.h"

#include <vector>

namespace cameo::autotune {

/// Returns lists of replacements, the empty one first: tiles of 2 and of 4 outputs in blocks of several sizes, for one
/// convolution each.
std::vector<std::vector<schedule::WinogradStep>> winogradVariants(const schedule::TaskProgram &program);

} // namespace cameo::autotune

#endif
