// A rule of a plugin: vectors of four along the last dimension, instead of the built-in choice.
#include "utils/Plugin/PluginRegistry.h"

using namespace cameo::autotune;

namespace {

class FourLanesRule : public SketchRule {
public:
  llvm::StringRef name() const override { return "four-lanes"; }
  Verdict meetCondition(const NestTraits &traits, const NestSketch &sketch) const override {
    return sketch.vectorDim || traits.parallel.empty() ? Verdict::Skip : Verdict::Replace;
  }
  std::vector<NestSketch> apply(const NestTraits &traits, const NestSketch &sketch) const override {
    NestSketch four = sketch;
    four.vectorDim = traits.parallel.back();
    four.lanes = 4;
    return {four};
  }
};

} // namespace

extern "C" const char *cameoPluginVersion() { return CAMEO_PLUGIN_VERSION; }

extern "C" void cameoRegisterPlugin(cameo::PluginRegistry &registry) {
  registry.addSketchRule(std::make_shared<FourLanesRule>());
}
