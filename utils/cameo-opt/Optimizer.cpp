#include "utils/cameo-opt/Optimizer.h"

#include "utils/Driver/Register.h"
#include "utils/Plugin/Plugin.h"

#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/CommandLine.h"

int cameo::runOptimizer(int argc, char **argv) {
  mlir::DialectRegistry registry;
  registerDialects(registry);
  registerPasses();
  // Canonicalisation, common subexpressions and their kin, for experiments.
  mlir::registerTransformsPasses();
  // While options are parsed, as MLIR loads its own kind: passes are named in --pass-pipeline.
  llvm::cl::list<std::string> plugins("plugin",
                                      llvm::cl::desc("Library that adds dialects and graph passes, as for cameo"),
                                      llvm::cl::value_desc("FILE.so"));
  plugins.setCallback([&](const std::string &path) {
    llvm::ExitOnError exitOnError("cameo-opt: error: ");
    const Plugin *plugin = exitOnError(Plugin::load(path));
    plugin->addDialectsTo(registry);
    for (const PluginRegistry::GraphPass &pass : plugin->getGraphPasses())
      mlir::registerPass(pass.create);
  });
  return mlir::asMainReturnCode(mlir::MlirOptMain(argc, argv, "cameo-opt: passes of the Cameo compiler\n", registry));
}
