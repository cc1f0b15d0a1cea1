// The ways in which the convolutions of a task may be replaced before anything is tiled.
#ifndef CAMEO_AUTOTUNE_SPACE_WINOGRADVARIANTS_H
#define CAMEO_AUTOTUNE_SPACE_WINOGRADVARIANTS_H

#include "passes/Schedule/Nests/Rewrite/RewriteWinograd.h"

#include <vector>

namespace cameo::autotune {

/// Lists of replacements, the empty one first: tiles of 2 and of 4 outputs in blocks of several sizes, for one
/// convolution at a time.
std::vector<std::vector<schedule::WinogradStep>> winogradVariants(const schedule::TaskProgram &program);

} // namespace cameo::autotune

#endif
