// Sketch rules of users, from shared libraries.
#ifndef CAMEO_AUTOTUNE_SPACE_SKETCHPLUGIN_H
#define CAMEO_AUTOTUNE_SPACE_SKETCHPLUGIN_H

#include "autotune/Space/SketchRule.h"

#include "llvm/Support/Error.h"

namespace cameo::autotune {

/// What a plugin calls for each of its rules.
using RegisterSketchRule = void (*)(std::shared_ptr<const SketchRule> rule);

/// Changes whenever SketchRule, NestSketch, NestTraits or what they refer to does: a plugin is built against one version.
constexpr unsigned sketchPluginVersion = 1;

/// What a plugin exports:
///
///     extern "C" unsigned cameoSketchPluginVersion() { return cameo::autotune::sketchPluginVersion; }
///     extern "C" void cameoRegisterSketchRules(cameo::autotune::RegisterSketchRule registerRule) {
///       registerRule(std::make_shared<MyRule>());
///     }
///
/// Built with -fno-rtti against the headers of this tree and of its MLIR; it links with nothing of ours.
constexpr char sketchPluginVersionName[] = "cameoSketchPluginVersion";
constexpr char registerSketchRulesName[] = "cameoRegisterSketchRules";

/// Loads the library at `path`, for good, and registers its rules: they are asked before all others. An error names the path.
llvm::Error loadSketchPlugin(llvm::StringRef path);

} // namespace cameo::autotune

#endif
