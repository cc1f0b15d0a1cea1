// What this plugin has beside its dialect.
#ifndef PLUGIN_H
#define PLUGIN_H

#include "utils/Plugin/PluginRegistry.h"

namespace acme {

std::unique_ptr<mlir::Pass> createRaiseSoftclipPass();
std::shared_ptr<const cameo::autotune::SketchRule> createWideLanesRule();

} // namespace acme

#endif
