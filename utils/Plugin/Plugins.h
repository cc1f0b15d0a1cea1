// The plugins of a compilation, for those who only hand them on.
#ifndef CAMEO_UTILS_PLUGIN_PLUGINS_H
#define CAMEO_UTILS_PLUGIN_PLUGINS_H

#include <vector>

namespace cameo {

class Plugin;

/// In the order in which they were given.
using Plugins = std::vector<const Plugin *>;

} // namespace cameo

#endif
