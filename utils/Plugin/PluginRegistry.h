// What a plugin adds to the compiler: dialects of operators and of schedule steps, lowerings, graph passes and sketch
// rules.
//
// A plugin is a shared library that is linked with libcameo.so and exports two functions:
//
//     extern "C" const char *cameoPluginVersion() { return CAMEO_PLUGIN_VERSION; }
//     extern "C" void cameoRegisterPlugin(cameo::PluginRegistry &registry) {
//       registry.addDialect<AcmeDialect>();
//       registry.addLowering(lowerSoftclip);
//     }
//
// It is built with -fno-rtti, against the headers of one version of the compiler and of its MLIR. docs/extending.md
// shows one.
#ifndef CAMEO_UTILS_PLUGIN_PLUGINREGISTRY_H
#define CAMEO_UTILS_PLUGIN_PLUGINREGISTRY_H

#include "autotune/Space/SketchRule.h"
#include "passes/Lower/LoweringTable.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Pass/Pass.h"
#include "llvm/Config/llvm-config.h"

/// The number changes whenever what the headers for plugins declare does.
#define CAMEO_PLUGIN_VERSION "2, LLVM " LLVM_VERSION_STRING

namespace cameo {

/// Always: a model cannot be compiled without the pass. Optimized: results do not need it, and the naive path leaves it
/// out, so that 'cameo verify' compares with and without.
enum class GraphPassUse { Always, Optimized };

class PluginRegistry {
public:
  using CreatePass = std::function<std::unique_ptr<mlir::Pass>()>;
  struct GraphPass {
    CreatePass create;
    GraphPassUse use;
  };

  /// A dialect. Operations with the interface onnx::OnnxOp are operators of the domain that has the dialect's name: in
  /// a domain, characters that are neither letters, digits nor '_' are '_'. Operators that the compiler has itself stay
  /// its own. Attributes with the interfaces schedule::StepAttrInterface and schedule::StepEffectInterface are schedule
  /// steps.
  template <typename DialectTy> void addDialect() { dialects.insert<DialectTy>(); }
  /// For more dialects, and for extensions of those that are there.
  mlir::DialectRegistry &getDialects() { return dialects; }

  /// How an operation becomes linalg (passes/Lower/README.md): called as those of the compiler are, by several threads
  /// at once.
  template <typename OpTy>
  void addLowering(lower::Lowered (*lowering)(OpTy, lower::Operands, lower::GenericBuilder &)) {
    lowerings[OpTy::getOperationName().split('.').first].add(lowering);
  }

  /// A pass on modules or on func.func at the begin of the graph phase, when nodes are as the model has them, in the
  /// newest form of their operators. Passes run in the order in which they are added.
  void addGraphPass(CreatePass create, GraphPassUse use) { graphPasses.push_back({std::move(create), use}); }

  /// A rule that 'cameo tune' asks before those of the compiler.
  void addSketchRule(std::shared_ptr<const autotune::SketchRule> rule) { sketchRules.push_back(std::move(rule)); }

private:
  friend class Plugin;
  mlir::DialectRegistry dialects;
  llvm::StringMap<lower::LoweringTable> lowerings; // by dialect
  std::vector<GraphPass> graphPasses;
  autotune::SketchRules sketchRules;
};

} // namespace cameo

#endif
