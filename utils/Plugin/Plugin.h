// Plugins that are loaded: shared libraries that add to the compiler.
#ifndef CAMEO_UTILS_PLUGIN_PLUGIN_H
#define CAMEO_UTILS_PLUGIN_PLUGIN_H

#include "utils/Plugin/PluginRegistry.h"
#include "utils/Plugin/Plugins.h"

#include "llvm/Support/Error.h"

namespace cameo {

/// Immutable once it is loaded: threads may share it.
class Plugin {
public:
  /// Loads the library at `path`, for good; the second time gives the same plugin. An error names the path: no library,
  /// none that is a plugin, or one for another version of the compiler. Thread-safe.
  static llvm::Expected<const Plugin *> load(llvm::StringRef path);

  llvm::StringRef getPath() const { return path; }
  /// Adds the dialects, with what lowers their operations.
  void addDialectsTo(mlir::DialectRegistry &registry) const { contents.dialects.appendTo(registry); }
  llvm::ArrayRef<PluginRegistry::GraphPass> getGraphPasses() const { return contents.graphPasses; }
  const autotune::SketchRules &getSketchRules() const { return contents.sketchRules; }

private:
  explicit Plugin(std::string path) : path(std::move(path)) {}
  void attachLowerings();

  std::string path;
  PluginRegistry contents;
};

} // namespace cameo

#endif
